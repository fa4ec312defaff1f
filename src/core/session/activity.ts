import type { LoggedCall, LoggedRequest, Registry } from '../tools/index.js'
import type { HistoryEntry } from '../vault/index.js'
import type { SessionStore } from './session-store.js'

/** The logged history of a vault: calls, requests to models, and changes of notes. */
export interface LoggedHistory {
  /** Oldest first, as the requests are. */
  calls: readonly LoggedCall[]
  requests: readonly LoggedRequest[]
  /** Newest first. */
  changes: readonly HistoryEntry[]
  /** Interrupted changes with undecided notes, of any age. */
  undecided: readonly HistoryEntry[]
  /** Older entries exist that are not in it. */
  isCut: boolean
}

/** The history with the names that a front end needs to show it by chat and question. */
export interface Activity extends LoggedHistory {
  /** Titles of the stored chats that it mentions, by id. */
  chats: Readonly<Record<string, string>>
  /** Questions by the id of their turn. */
  questions: Readonly<Record<string, string>>
  /** Titles of tools by name. */
  tools: Readonly<Record<string, string>>
}

/** Chats whose questions are read. Entries of older chats are shown without their question. */
const mostChats = 60
const longestQuestion = 300

/** Adds the titles of chats and tools and the questions to a logged history. */
export async function activityOf(
  { sessions, registry }: { sessions: Pick<SessionStore, 'list' | 'read'>; registry: Pick<Registry, 'find'> },
  logged: LoggedHistory,
): Promise<Activity> {
  const mentioned = new Set<string>()
  for (const { session } of [...logged.calls, ...logged.requests].reverse()) if (session) mentioned.add(session)
  for (const { session } of logged.changes) if (session) mentioned.add(session)
  const kept = (await sessions.list()).filter(({ id }) => mentioned.has(id))
  const questions: Record<string, string> = {}
  for (const { id } of kept.slice(0, mostChats)) {
    // A chat may be deleted between the list and this.
    const starts = await sessions.read(id, { types: ['run-start'] }).catch(() => [])
    for (const { event } of starts) {
      if (event.type === 'run-start' && event.turn) questions[event.turn] ??= event.text.slice(0, longestQuestion)
    }
  }
  return {
    ...logged,
    chats: Object.fromEntries(kept.map(({ id, title }) => [id, title])),
    questions,
    tools: Object.fromEntries(
      [...new Set(logged.calls.map(({ tool_name }) => tool_name))].flatMap((name) => {
        const title = registry.find(name)?.tool.title
        return title === undefined ? [] : [[name, title]]
      }),
    ),
  }
}
