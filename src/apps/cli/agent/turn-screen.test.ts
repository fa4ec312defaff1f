import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, Citation } from '../../../core/agent/index.js'
import { turnReport } from '../../../core/session/index.js'
import { notePath } from '../../../core/vault/index.js'
import { style, type Terminal } from '../terminal/terminal.js'
import { showSources, turnScreen } from './turn-screen.js'

/** A terminal that records output; `out` and `err` mark the stream. */
function paper(isScreen: boolean) {
  const written: string[] = []
  const terminal = {
    json: false,
    width: 60,
    messageWidth: 60,
    style: style(false),
    messageStyle: style(false),
    isScreen,
    messages: { isTTY: false, write: () => true },
    print: (text: string) => void written.push(`out ${text}`),
    say: (text: string) => void written.push(`err ${text}`),
    trace: (text: string) => void written.push(`trace ${text}`),
  } as unknown as Terminal
  return { terminal, written }
}

const call = { id: 'c1', name: 'search_notes', input: { query: 'rain\x1b[2J' } }
const about = { title: 'Search notes', activity: 'Searching notes', background: false }
const done = {
  callId: 'c1',
  name: 'search_notes',
  ok: true,
  output: [],
  text: '[]',
  summary: '3 notes',
  provenance: [],
  logId: '1',
} as const
const refused = {
  callId: 'c1',
  name: 'write_note',
  ok: false,
  code: 'needs-approval',
  text: 'It needs a person. Really.',
  error: null,
} as const
const end: AgentEvent = {
  type: 'run-end',
  reason: 'answered',
  text: 'It **rains**.',
  messages: [],
  steps: 2,
  usage: { input: 1200, output: 5 },
}

const events: AgentEvent[] = [
  { type: 'run-start', turn: 't', mode: 'agent', model: 'm', text: 'Which?' },
  { type: 'step-start', step: 1 },
  { type: 'reasoning-delta', text: 'I should\nlook.' },
  { type: 'text-delta', text: 'Let me look.' },
  { type: 'step-end', step: 1, usage: {} },
  { type: 'tool-call', call, ...about },
  { type: 'tool-result', call, result: done },
  { type: 'tool-call', call: { ...call, id: 'c2' }, ...about, background: true },
  { type: 'tool-result', call: { ...call, id: 'c2' }, result: { ...done, callId: 'c2' } },
  { type: 'step-start', step: 2 },
  { type: 'text-delta', text: 'It **rai' },
  { type: 'text-delta', text: 'ns**.' },
  { type: 'step-end', step: 2, usage: {} },
  { type: 'citations', citations: [{ path: notePath('Rain.md'), raw: '[[Rain]]', check: 'unquoted' }] },
  end,
]

const timeless = (lines: string[]) => lines.map((line) => line.replace(/\d+ ms/g, 'N ms'))

describe('a turn on the screen', () => {
  it('shows thoughts folded, words, rows and sources, each where it belongs', () => {
    const { terminal, written } = paper(true)
    const screen = turnScreen(terminal)
    for (const event of events) screen.show(event)
    expect(timeless(written)).toEqual([
      'err ∴ Thought for N ms: I should look.',
      'err ',
      'out Let me look.',
      'err ',
      'err ✓ Searching notes: rain⟦U+001B⟧[2J  3 notes, N ms',
      'err ',
      'out It **rains**.',
      'out \nSources\n  · Rain.md',
      'trace usage: 2 steps, 1,200 tokens in, 5 tokens out',
    ])
  })

  it.each([
    ['±', { ...done, inPart: true as const, summary: 'in part: Edit Rain.md' }, 'in part: Edit Rain.md'],
    [
      '–',
      { callId: 'c1', name: 'edit_note', ok: false as const, code: 'denied' as const, text: 'User cancelled.' },
      'User cancelled',
    ],
    [
      '✗',
      { callId: 'c1', name: 'edit_note', ok: false as const, code: 'conflict' as const, text: 'It changed.' },
      'It changed',
    ],
  ])('marks a call that was not wholly done with %s', (mark, result, outcome) => {
    const { terminal, written } = paper(true)
    const screen = turnScreen(terminal)
    screen.show({ type: 'tool-call', call, ...about })
    screen.show({ type: 'tool-result', call, result })
    expect(timeless(written).at(-1)).toMatch(new RegExp(`^err ${mark} .*  ${outcome}, N ms$`))
  })

  it('writes only the answer and its sources into a file', () => {
    const { terminal, written } = paper(false)
    const screen = turnScreen(terminal)
    for (const event of events) screen.show(event)
    expect(written.filter((line) => line.startsWith('out'))).toEqual([
      'out It **rains**.',
      'out \nSources\n  · Rain.md',
    ])
  })
})

describe('sources', () => {
  const place = (more: Partial<Citation>): Citation => ({
    path: notePath('A/Rain.md'),
    raw: '[[Rain]]',
    check: 'verbatim',
    ...more,
  })

  it('say of each what checking it has shown, once, in a column, and repeat nothing that was just quoted', () => {
    const shown = showSources(
      [
        place({ lines: [3, 4], quote: 'it rains' }),
        place({ lines: [3, 4], quote: 'it rains' }),
        place({ lines: [12, 12], quote: 'snow', check: 'differs' }),
        place({ path: undefined, raw: '[[Gone]]', check: 'missing' }),
      ],
      { style: style(false), width: 60, link: (text) => text },
    )
    expect(shown.split('\n')).toEqual([
      'Sources',
      '  ✓ A/Rain.md:3-4',
      '  ≠ A/Rain.md:12   not in the note: “snow”',
      '  ✗ [[Gone]]       no such note',
    ])
  })

  it('open the note where the terminal can, and stay in their column', () => {
    const shown = showSources(
      [place({ lines: [3, 4] }), place({ path: undefined, raw: '[[Gone]]', check: 'missing' })],
      { style: style(false), width: 60, link: (text, address) => `<${address}|${text}>` },
      ({ path }) => `file:///vault/${path}`,
    )
    expect(shown.split('\n').slice(1)).toEqual([
      '  ✓ <file:///vault/A/Rain.md|A/Rain.md:3-4>',
      '  ✗ [[Gone]]       no such note',
    ])
  })
})

describe('the report of a turn', () => {
  it('knows when the last thing tried was refused, and when it was done after all', () => {
    const report = turnReport()
    for (const event of events) report.see(event)
    expect(report.refusal()).toBeUndefined()
    report.see({ type: 'tool-result', call, result: refused })
    expect(report.refusal()).toMatchObject({ code: 'needs-approval' })
    report.see({ type: 'tool-result', call, result: done })
    expect(report.refusal()).toBeUndefined()
    expect(report.asData('s')).toMatchObject({
      ok: true,
      answer: 'It **rains**.',
      session: 's',
      model: 'm',
      mode: 'agent',
    })
  })
})

it('shows at the terminal how long the prompt has been read, and when a request is repeated', () => {
  const drawn: string[] = []
  const terminal = {
    style: style(false),
    messageStyle: style(false),
    isScreen: true,
    messages: Object.assign(new EventEmitter(), {
      isTTY: true,
      columns: 80,
      write: (text: string) => drawn.push(text),
    }),
    say: (text: string) => drawn.push(text),
  } as unknown as Terminal
  const screen = turnScreen(terminal)
  screen.show({ type: 'step-start', step: 1 })
  screen.show({ type: 'waiting', why: 'prompt', seconds: 40 })
  expect(drawn.at(-1)).toContain('Reading the prompt, 40 s')
  screen.show({ type: 'retrying', why: 'Rate limited by OpenAI.', waitMs: 20_000, attempt: 2, attempts: 3 })
  expect(drawn.at(-1)).toContain('Rate limited by OpenAI. Retrying in 20 s (2 of 3).')
  screen.show({ type: 'waiting', why: 'retry', seconds: 15 })
  expect(drawn.at(-1)).toContain('Retrying in 15 s')
  screen.pause()
})
