import type { Activity } from '../../core/session/index.js'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { HistoryEntry } from '../../core/vault/index.js'

/** Entries that a filter leaves, by chat and question, newest first. */
export interface ActivityGroup {
  /** Id of the chat; '' for entries outside any chat. */
  session: string
  time: number
  questions: ActivityQuestion[]
  /** Changes of this chat that are shown, oldest first. */
  changes: HistoryEntry[]
}

/** Requests, calls and changes of one question. */
export interface ActivityQuestion {
  key: string
  /** Id of its turn; absent for entries outside any turn. */
  turn?: string
  time: number
  requests: LoggedRequest[]
  /** In the order in which they happened. */
  entries: ActivityEntry[]
}

/** A call, the change it made, or a change that no logged call made. */
export interface ActivityEntry {
  key: string
  time: number
  call?: LoggedCall
  change?: HistoryEntry
}

export type ActivityFilter = 'changes' | 'reads' | 'sent' | 'not-done' | 'all'

export function activityGroups(activity: Activity, filter: ActivityFilter, words: string): ActivityGroup[] {
  const groups = new Map<string, ActivityGroup>()
  const questions = new Map<string, ActivityQuestion>()
  const wanted = words.trim().toLowerCase()

  function questionOf(session: string, turn: string | undefined, key: string, time: number): ActivityQuestion {
    const group = groups.get(session) ?? { session, time, questions: [], changes: [] }
    groups.set(session, group)
    group.time = Math.max(group.time, time)
    const id = `${session} ${turn ?? key}`
    let question = questions.get(id)
    if (question === undefined) {
      question = { key: id, ...(turn !== undefined && { turn }), time, requests: [], entries: [] }
      questions.set(id, question)
      group.questions.push(question)
    }
    question.time = Math.min(question.time, time)
    return question
  }
  const changes = new Map(activity.changes.map((change) => [change.id, change]))
  const fits = (session: string | undefined, turn: string | undefined, ...rows: unknown[]): boolean =>
    wanted === '' ||
    JSON.stringify([activity.chats[session ?? ''], activity.questions[turn ?? ''], ...rows])
      .toLowerCase()
      .includes(wanted)

  const shownChanges = new Set<string>()
  for (const call of activity.calls) {
    const change = call.change_set === undefined ? undefined : changes.get(call.change_set)
    if (change !== undefined) shownChanges.add(change.id)
    const title = activity.tools[call.tool_name]
    if (!passes(filter, call, change) || !fits(call.session, call.turn, call, change, title)) continue
    const time = Date.parse(call.timestamp)
    const question = questionOf(call.session, call.turn, `call ${call.id}`, time)
    question.entries.push({ key: call.id, time, call, ...(change && { change }) })
    if (change !== undefined) groups.get(call.session)?.changes.push(change)
  }
  // Changes that no call in the log made: by the user, by another program, or by calls that are no longer logged.
  for (const change of [...activity.changes].reverse()) {
    if (shownChanges.has(change.id) || !passes(filter, undefined, change)) continue
    // An undo belongs to the chat whose change it undid.
    const session = change.session ?? change.undoes.map((id) => changes.get(id)?.session).find(Boolean) ?? ''
    if (!fits(session, undefined, change)) continue
    questionOf(session, undefined, `change ${change.id}`, change.time).entries.push({
      key: change.id,
      time: change.time,
      change,
    })
    groups.get(session)?.changes.push(change)
  }
  if (filter === 'sent' || filter === 'all') {
    for (const request of activity.requests) {
      if (!fits(request.session, request.turn, request)) continue
      questionOf(
        request.session ?? '',
        request.turn,
        `request ${request.sha256}`,
        Date.parse(request.time),
      ).requests.push(request)
    }
  }
  for (const group of groups.values()) {
    group.changes.sort((a, b) => a.time - b.time)
    group.questions.sort((a, b) => b.time - a.time)
    for (const question of group.questions) question.entries.sort((a, b) => a.time - b.time)
  }
  return [...groups.values()].sort((a, b) => b.time - a.time)
}

function passes(filter: ActivityFilter, call: LoggedCall | undefined, change: HistoryEntry | undefined): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'changes':
      return change !== undefined || call?.change_set !== undefined
    case 'reads':
      return call !== undefined && call.change_set === undefined && isDone(call)
    case 'sent':
      return (call?.egress?.length ?? 0) > 0
    case 'not-done':
      return call === undefined ? change?.state === 'rolled-back' || change?.state === 'undecided' : !isDone(call)
  }
}

const isDone = ({ decision, error, result }: LoggedCall): boolean =>
  decision !== 'denied' && decision !== 'refused' && error === undefined && result !== undefined
