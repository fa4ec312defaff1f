import type { Activity } from '../../../src/core/session/index.js'
import { notePath } from '../../../src/core/vault/index.js'

const session = 's'

export const sampleActivity: Activity = {
  calls: [
    {
      id: '1',
      timestamp: '2026-01-05T10:00:01.000Z',
      session,
      turn: 't1',
      tool_name: 'search_notes',
      arguments: { query: 'blight' },
      decision: 'allowed',
      rule: 'reading is allowed',
      result: '3 notes',
      duration_ms: 40,
    },
    {
      id: '2',
      timestamp: '2026-01-05T10:00:02.000Z',
      session,
      turn: 't1',
      tool_name: 'append_note',
      arguments: { path: 'Garden/Tomatoes.md', content: 'x' },
      decision: 'approved',
      rule: 'person',
      change_set: 'c1',
      result: 'Added 1 line',
      duration_ms: 900,
    },
    {
      id: '3',
      timestamp: '2026-01-05T10:00:04.000Z',
      session,
      turn: 't1',
      tool_name: 'web_fetch',
      arguments: { url: 'https://example.org/<b>' },
      decision: 'approved',
      rule: 'you said yes',
      egress: [{ destination: 'example.org', sha256: 'aa', bytes: 120 }],
      error: { code: 'network', message: 'example.org did not answer' },
      duration_ms: 300,
    },
  ],
  requests: [
    {
      time: '2026-01-05T10:00:00.000Z',
      session,
      turn: 't1',
      provider: 'openai',
      model: 'gpt-5',
      destination: 'api.openai.com',
      bytes: 4200,
      sha256: 'bb',
      notes: ['Garden/Tomatoes.md', 'a \u202egnp.md'],
    },
  ],
  changes: [
    {
      id: 'c1',
      time: Date.parse('2026-01-05T10:00:02.900Z'),
      title: 'Append to Garden/Tomatoes.md',
      session,
      state: 'applied',
      changes: [{ kind: 'edit', path: notePath('Garden/Tomatoes.md') }],
      undoes: [],
    },
  ],
  undecided: [],
  isCut: true,
  chats: { s: 'Late blight in tomatoes' },
  questions: { t1: 'What helps against <b>late blight</b>?' },
  tools: { search_notes: 'Search notes', append_note: 'Append to note', web_fetch: 'Read web page' },
}
