import { expect, it } from 'vitest'
import type { AgentEvent } from '../agent/index.js'
import { builtInTools, registry } from '../tools/index.js'
import { notesTouched } from './notes-touched.js'

const result = (name: string, output: unknown, more = {}) =>
  ({
    type: 'tool-result',
    call: { id: '1', name, input: {} },
    result: { ok: true, name, output, ...more },
  }) as AgentEvent

it('names the notes that tools brought, that were cited and that were changed, each once', async () => {
  const events: AgentEvent[] = [
    result('list_backlinks', { links: [{ source_path: 'A.md' }, { source_path: 'B.md' }] }),
    result('rename_note', { path: 'C.md' }, { changeSet: { changes: [{ kind: 'rename', path: 'B.md', to: 'C.md' }] } }),
    {
      type: 'citations',
      citations: [
        { path: 'A.md' as never, raw: 'A', check: 'verbatim' },
        { raw: 'x', check: 'missing' },
      ],
    },
    result('no_such_tool', { path: 'Z.md' }),
    result('read_note', { anotherForm: 'Z.md' }),
    { type: 'tool-result', call: { id: '2', name: 'read_note', input: {} }, result: { ok: false } } as AgentEvent,
  ]
  let asked: unknown
  const sessions = {
    read: async (id: string, question: unknown) => {
      asked = [id, question]
      return events.map((event, seq) => ({ seq, time: '', event }))
    },
  }
  expect([...(await notesTouched(sessions, registry(builtInTools), 's1'))]).toEqual([
    ['A.md', 'cited, seen'],
    ['B.md', 'seen'],
    ['C.md', expect.stringContaining('changed')],
  ])
  expect(asked).toEqual(['s1', { types: ['tool-result', 'citations'] }])
})
