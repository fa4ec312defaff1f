import { describe, expect, it } from 'vitest'
import { begin, end, entry, keep } from '../../../test/contracts/session-store/entries.js'
import { memorySessions } from '../../../test/doubles/memory-sessions.js'
import type { SessionSummary } from './session-store.js'
import { findSession, forkSession, outdatedSessions } from './stored-sessions.js'
import { sessionAsMarkdown, transcriptOf } from './transcript.js'

const day = 86_400_000
const now = Date.parse('2026-03-01T10:00:00Z')

function listed(ages: readonly number[], bytes = 10): SessionSummary[] {
  return ages.map((age, at) => ({
    id: `${at}`,
    title: '',
    createdAt: '',
    updatedAt: new Date(now - age * day).toISOString(),
    turns: 1,
    model: 'm',
    waiting: 0,
    cost: null,
    bytes,
  }))
}

describe('sessions that are no longer kept', () => {
  it('are those older than a number of days of use', () => {
    const daily = listed([0, 1, 2, 3, 4, 5])
    expect(outdatedSessions(daily, { days: 3, bytes: 1e9 })).toEqual(['4', '5'])
  })

  it('are not those before a long pause, or a clock that jumped', () => {
    expect(outdatedSessions(listed([0, 900, 901]), { days: 3, bytes: 1e9 })).toEqual([])
  })

  it('are never pinned ones', () => {
    const old = listed([0, 1, 2], 100).map((each) => ({ ...each, pinned: each.id === '2' }))
    expect(outdatedSessions(old, { days: 0, bytes: 1 })).toEqual(['0', '1'])
  })

  it('are the oldest once all of them take too much', () => {
    expect(outdatedSessions(listed([0, 1, 2], 100), { days: 100, bytes: 250 })).toEqual(['2'])
  })
})

describe('a session is found', () => {
  it('by its id, the beginning of it, or its title', async () => {
    const store = memorySessions()
    await keep(store, '2026-03-01-abcdef')
    await keep(store, '2026-03-01-xyzxyz')
    await store.rename('2026-03-01-xyzxyz', 'About soil', 'person')
    expect((await findSession(store, '2026-03-01-abcdef')).id).toBe('2026-03-01-abcdef')
    expect((await findSession(store, '2026-03-01-x')).id).toBe('2026-03-01-xyzxyz')
    expect((await findSession(store, 'about SOIL')).id).toBe('2026-03-01-xyzxyz')
    await expect(findSession(store, '2026-03-01')).rejects.toMatchObject({ code: 'ambiguous' })
  })

  it('or reported with similar ids', async () => {
    const store = memorySessions()
    await keep(store, '2026-03-01-abcdef')
    await expect(findSession(store, '2026-03-01-abcdxf')).rejects.toMatchObject({
      code: 'not-found',
      details: { hint: expect.stringContaining('2026-03-01-abcdef') },
    })
    await expect(findSession(store, 'nothing like it')).rejects.toMatchObject({
      details: { hint: 'List the saved chats.', command: 'notewright sessions list' },
    })
  })
})

describe('a fork', () => {
  async function twoTurns() {
    const store = memorySessions()
    const writer = await store.write('s')
    const state = {
      model: 'm',
      mode: 'agent' as const,
      consent: 'edit' as const,
      seen: ['web' as const],
      read: [],
      typed: ['one', 'two'],
      grants: [{ id: 'g', rule: 'append_note', createdAt: '', about: '' }],
    }
    await writer.append(
      entry([begin('one'), end('1'), begin('two', 't2'), end('2')], {
        state,
        about: { turns: 2, model: 'm', waiting: [] },
      }),
    )
    await writer.release()
    return store
  }

  it('copies the turns up to one, their taint, and no grants', async () => {
    const store = await twoTurns()
    const { id } = await forkSession(store, 's', { at: 1, now: new Date(now) })
    const kept = (await store.find(id))!
    expect(kept).toMatchObject({ turns: 1, cost: null, state: { typed: ['one'], seen: ['web'], grants: [] } })
    expect(transcriptOf(await store.read(id)).map(({ asked, answer }) => [asked, answer])).toEqual([['one', '1']])
    expect((await store.find('s'))!.turns).toBe(2)
  })

  it('is made also of a session that is open elsewhere, as the failure to open it says', async () => {
    const store = await twoTurns()
    await store.write('s')
    await expect(store.write('s')).rejects.toMatchObject({
      details: {
        hint: expect.stringContaining('continue in a copy of it.'),
        command: 'notewright sessions fork s',
      },
    })
    const { id } = await forkSession(store, 's', { now: new Date(now) })
    expect((await store.find(id))!.turns).toBe(2)
  })

  it('at a turn that is not there is refused', async () => {
    const store = await twoTurns()
    for (const at of [0, 3]) {
      await expect(forkSession(store, 's', { at, now: new Date(now) })).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })
})

it('a session is a readable note: requests, what was done with its undo id, answers', async () => {
  const store = memorySessions()
  const writer = await store.write('s')
  const call = { id: 'c', name: 'append_note', input: {} }
  await writer.append(
    entry([
      begin('Add\nsowing'),
      { type: 'tool-call', call, title: 'Append', activity: 'Appending', background: false },
      {
        type: 'tool-result',
        call,
        result: {
          callId: 'c',
          name: 'append_note',
          ok: true,
          output: null,
          text: '',
          summary: 'Plan.md',
          changeSet: { id: 'change-1', title: '', changes: [] } as never,
          provenance: [],
          logId: '1',
        },
      },
      end('It is in [[Plan]].'),
    ]),
  )
  const text = sessionAsMarkdown((await store.list())[0], transcriptOf(await store.read('s')))
  expect(text).toContain(
    '## 1. Add sowing\n\n> Add\n> sowing\n\n- Append: Plan.md (undo: `change-1`)\n\nIt is in [[Plan]].',
  )
})
