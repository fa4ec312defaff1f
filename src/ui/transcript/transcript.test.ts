import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../core/agent/index.js'
import {
  emptyTranscript,
  foldEvents,
  isRunning,
  type Part,
  type TranscriptEvent,
  type TranscriptState,
  waitingPanels,
  whyFound,
} from './transcript.js'

const call = (id: string) => ({ id, name: 'read_note', input: { path: `${id}.md` } })
const panel = (id: string) =>
  ({ kind: 'question', id, hash: id, session: 's', from: 'x', message: '', form: {} }) as never
const result = (id: string) =>
  ({
    callId: id,
    name: 'read_note',
    ok: true,
    output: {},
    text: '',
    summary: '1 line',
    provenance: [],
    logId: id,
  }) as never

const start = (more = {}): AgentEvent => ({
  type: 'run-start',
  turn: 't',
  mode: 'agent',
  model: 'm',
  text: 'Why?',
  ...more,
})
const end: AgentEvent = { type: 'run-end', reason: 'answered', text: '', messages: [], steps: 1, usage: {} }

const id = fc.constantFrom('a', 'b', 'c')
const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.constant(start()),
  fc.constant(start({ continues: true })),
  fc.constant<AgentEvent>({ type: 'step-start', step: 1 }),
  fc.string({ maxLength: 4 }).map((text): AgentEvent => ({ type: 'text-delta', text })),
  fc.string({ maxLength: 4 }).map((text): AgentEvent => ({ type: 'reasoning-delta', text })),
  id.map(
    (one): AgentEvent => ({
      type: 'tool-call',
      call: call(one),
      title: 'Read note',
      activity: 'Reading',
      background: one === 'c',
    }),
  ),
  id.map((one): AgentEvent => ({ type: 'tool-progress', callId: one, progress: { text: 'Half' } })),
  id.map((one): AgentEvent => ({ type: 'tool-result', call: call(one), result: result(one) })),
  id.map((one): AgentEvent => ({ type: 'approval-asked', panel: panel(one) })),
  id.map((one): AgentEvent => ({ type: 'approval-decided', id: one, verdict: 'allow', by: 'person' })),
  fc.constant<AgentEvent>({ type: 'notice', text: 'Look.' }),
  fc.constantFrom<AgentEvent>(
    { type: 'branch-changed', turns: 0 },
    { type: 'branch-changed', after: 't', turns: 1 },
    { type: 'branch-changed', after: 'u', turns: 1 },
  ),
  fc.constant(start({ turn: 'u' })),
  fc.constant<AgentEvent>({ type: 'citations', citations: [] }),
  fc.constant<AgentEvent>({ type: 'step-end', step: 1, usage: {} }),
  fc.constant(end),
)

const told = (events: readonly AgentEvent[]): TranscriptEvent[] =>
  events.map((event, at) => ({ seq: at + 1, time: new Date(1000 * (at + 1)).toISOString(), event }))
const folded = (all: readonly TranscriptEvent[], from: TranscriptState = emptyTranscript) => foldEvents(from, all)

describe('a transcript', () => {
  it('is the same after a reload, a lost connection or in two tabs: repeated events are ignored', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.array(fc.nat(40)), (events, reloads) => {
        const all = told(events)
        const whole = folded(all)
        let state = emptyTranscript
        let at = 0
        for (const reload of reloads) {
          state = folded(all.slice(at, reload), state)
          // The server resends events that were already seen, or is still sending.
          at = Math.min(state.seq, reload)
          state = JSON.parse(JSON.stringify(folded(all.slice(Math.max(0, at - 3), at), state)))
        }
        expect(folded(all.slice(at), state)).toEqual(whole)
      }),
    )
  })

  it('does not depend on how a reply was cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1 }), (pieces) => {
        const words = (texts: string[]) =>
          folded(told([start(), ...texts.map((text): AgentEvent => ({ type: 'text-delta', text })), end]))
        expect(words(pieces).turns[0].parts).toEqual(words([pieces.join('')]).turns[0].parts)
      }),
    )
  })

  it('has nothing that runs or waits in a turn that is over', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const over = folded(told([...events, end]))
        expect(isRunning(over)).toBe(false)
        expect(waitingPanels(over)).toEqual([])
        const entries = over.turns.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.kind === 'work' ? part.entries : [])),
        )
        expect(entries.filter(({ endedAt }) => endedAt === undefined)).toEqual([])
      }),
    )
  })

  it('begins a turn with the request, and continues an interrupted one', () => {
    const state = folded(
      told([
        start(),
        { type: 'text-delta', text: 'Half' },
        start({ continues: true }),
        { type: 'text-delta', text: ' done' },
        end,
      ]),
    )
    expect(state.turns).toHaveLength(1)
    expect(state.turns[0]).toMatchObject({ asked: 'Why?', parts: [{ kind: 'words', text: 'Half done' }] })
    expect(
      folded(told([start(), start({ text: 'And?' })])).turns.map(({ asked, ended }) => [asked, ended?.reason]),
    ).toEqual([
      ['Why?', 'stopped'],
      ['And?', undefined],
    ])
  })

  it('shows one branch, and which versions of a message there are', () => {
    const turn = (id: string) => [start({ turn: id, text: id }), end]
    const events: AgentEvent[] = [
      ...turn('one'),
      ...turn('two'),
      { type: 'branch-changed', after: 'one', turns: 1 },
      ...turn('two again'),
      ...turn('three'),
      { type: 'branch-changed', turns: 0 },
      ...turn('one edited'),
    ]
    const shown = (all: readonly AgentEvent[]) =>
      folded(told(all)).turns.map(({ asked, versions }) => [asked, versions?.join(', ')])
    expect(shown(events.slice(0, 9))).toEqual([
      ['one', undefined],
      ['two again', 'two, two again'],
      ['three', undefined],
    ])
    expect(shown(events)).toEqual([['one edited', 'one, one edited']])
    expect(shown([...events, { type: 'branch-changed', after: 'two', turns: 2 }])).toEqual([
      ['one', 'one, one edited'],
      ['two', 'two, two again'],
    ])
  })

  it('does not count the time in which a user decides as the tool’s', () => {
    const state = folded(
      told([
        start(),
        { type: 'tool-call', call: call('a'), title: 'Edit note', activity: 'Editing', background: false },
        { type: 'approval-asked', panel: panel('p') },
        ...Array.from({ length: 20 }, (): AgentEvent => ({ type: 'messages', messages: [] })),
        { type: 'approval-decided', id: 'p', verdict: 'allow', by: 'person' },
        { type: 'tool-result', call: call('a'), result: result('a') },
      ]),
    )
    const [row] = state.turns[0].parts.flatMap((part) => (part.kind === 'work' ? part.entries : []))
    expect(row.endedAt! - row.startedAt).toBe(2000)
  })
})

const search: Part = {
  kind: 'work',
  entries: [
    {
      kind: 'call',
      call: { id: '1', name: 'search_notes', input: { query: 'blight' } },
      title: 'Search notes',
      activity: 'Searching notes for "blight"',
      background: false,
      startedAt: 0,
      endedAt: 1,
      result: { callId: '1', ok: true, output: {}, text: '1. Garden/Tomatoes.md' },
    } as never,
  ],
}

it('says which step found a note, or that the user named it', () => {
  expect(whyFound({ asked: 'When does it come?', parts: [search] }, 'Garden/Tomatoes.md')).toContain('blight')
  expect(whyFound({ asked: 'What about tomatoes?', parts: [] }, 'Garden/Tomatoes.md')).toBe('you named it')
  expect(whyFound({ asked: 'When?', parts: [search] }, 'Garden/Beans.md')).toBeUndefined()
})
