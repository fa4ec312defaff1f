import { describe, expect, it } from 'vitest'
import type { Activity } from '../../core/session/index.js'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import { type HistoryEntry, notePath } from '../../core/vault/index.js'
import { type ActivityFilter, activityGroups } from './activity-groups.js'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

function call(id: string, second: number, more: Partial<LoggedCall> = {}): LoggedCall {
  const row = { id, timestamp: at(second), session: 'one', turn: 't1', tool_name: 'read_note', arguments: {} }
  return { ...row, decision: 'allowed', rule: 'level:ask', result: 'done', ...more }
}

function change(id: string, second: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  const changes = [{ kind: 'edit' as const, path: notePath('Garden/Beans.md') }]
  return { id, time: Date.parse(at(second)), title: 'Edit', state: 'applied', changes, undoes: [], ...more }
}

function request(sha256: string, second: number, more: Partial<LoggedRequest> = {}): LoggedRequest {
  const row = { time: at(second), session: 'one', turn: 't1', provider: 'openai', model: 'm', bytes: 4200, notes: [] }
  return { ...row, destination: 'api.openai.com', sha256, ...more }
}

const activity = (more: Partial<Activity>): Activity => ({
  calls: [],
  requests: [],
  changes: [],
  undecided: [],
  isCut: false,
  chats: {},
  questions: {},
  tools: {},
  ...more,
})

/** `chat/turn: request, entries` for each question. */
const outline = (given: Activity, filter: ActivityFilter = 'all', words = '') =>
  activityGroups(given, filter, words).flatMap(({ session, questions }) =>
    questions.map(({ turn, requests, entries }) => {
      const shown = entries.map((entry) => [entry.call?.id, entry.change?.id].filter(Boolean).join('+'))
      return `${session}/${turn ?? ''}: ${[...requests.map(({ sha256 }) => sha256), ...shown].join(', ')}`
    }),
  )

describe('the groups of the activity', () => {
  const whole = activity({
    calls: [
      call('c1', 2),
      call('c2', 3, { change_set: 'x' }),
      call('c3', 9, { turn: 't2' }),
      call('c4', 20, { session: 'two', turn: 't3', decision: 'denied', rule: 'person' }),
    ],
    requests: [request('r1', 1)],
    changes: [change('y', 30, { undoes: ['x'] }), change('z', 10), change('x', 3, { session: 'one' })],
    chats: { one: 'Beans', two: 'Soup' },
    questions: { t1: 'How high do beans climb?' },
  })

  it('are chats and questions, newest first, with the calls of a question in order and each change at its call', () => {
    expect(outline(whole)).toEqual(['one/: y', 'one/t2: c3', 'one/t1: r1, c1, c2+x', 'two/t3: c4', '/: z'])
  })

  it('are those of the chosen filter', () => {
    expect(outline(whole, 'changes')).toEqual(['one/: y', 'one/t1: c2+x', '/: z'])
    expect(outline(whole, 'reads')).toEqual(['one/t2: c3', 'one/t1: c1'])
    expect(outline(whole, 'sent')).toEqual(['one/t1: r1'])
    expect(outline(whole, 'not-done')).toEqual(['two/t3: c4'])
  })

  it('are found by the words of the question, the chat and the notes', () => {
    expect(outline(whole, 'all', 'how high')).toEqual(['one/t1: r1, c1, c2+x'])
    expect(outline(whole, 'all', 'soup')).toEqual(['two/t3: c4'])
    expect(outline(whole, 'changes', 'garden/beans')).toEqual(['one/: y', 'one/t1: c2+x', '/: z'])
  })
})
