import { expect, it } from 'vitest'
import { type LoggedCall, registry } from '../tools/index.js'
import { activityOf } from './activity.js'
import type { SessionStore, SessionSummary, StoredEvent } from './session-store.js'

const start = (turn: string, text: string) =>
  ({ seq: 1, time: '', event: { type: 'run-start', turn, text, mode: 'agent', model: 'm' } }) as StoredEvent

function storeOf(chats: Record<string, StoredEvent[]>): Pick<SessionStore, 'list' | 'read'> {
  return {
    list: async () => Object.keys(chats).map((id) => ({ id, title: `Title of ${id}` }) as SessionSummary),
    async read(id) {
      const events = chats[id] ?? []
      if (events.length === 0) throw new Error('deleted meanwhile')
      return events
    },
  }
}

const call = (session: string, turn: string) =>
  ({ id: turn, session, turn, tool_name: 'gone', timestamp: '2026-01-01T00:00:00Z' }) as LoggedCall

it('names the chats and questions that the log mentions, and no others', async () => {
  const sessions = storeOf({ a: [start('t1', 'Why?'), start('t1', 'Again')], b: [start('t2', 'What?')], c: [] })
  const calls = [call('a', 't1'), call('c', 't3'), call('unkept', 't4')]
  const logged = { calls, requests: [], changes: [], undecided: [], isCut: false }
  expect(await activityOf({ sessions, registry: registry() }, logged)).toEqual({
    ...logged,
    chats: { a: 'Title of a', c: 'Title of c' },
    questions: { t1: 'Why?' },
    tools: {},
  })
})
