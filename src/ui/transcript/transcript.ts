import {
  type AgentEvent,
  type Citation,
  type FileReference,
  type Mode,
  type RunEnd,
  referenceIn,
} from '../../core/agent/index.js'
import type { ApprovalEvent, UserRequest } from '../../core/approval/index.js'
import type { StepUsage } from '../../core/model/index.js'
import { callLabel, compactedLine, projectLine, retryLine, waitingLine } from '../../core/session/index.js'
import type { ToolCall, ToolResult } from '../../core/tools/index.js'

/** One event of a conversation, with its number, as the session store keeps it. */
export interface TranscriptEvent {
  seq: number
  /** ISO 8601. */
  time: string
  event: AgentEvent
}

/** A conversation as drawn. Plain data, derived from events only. */
export interface TranscriptState {
  /** Sequence number of the last event; repeated events are ignored. */
  seq: number
  /** The turns of the branch that is shown. */
  turns: readonly TurnState[]
  /** The turns of other branches. */
  hidden: readonly TurnState[]
}

export interface TurnState {
  /** Stays the same while it is shown. */
  key: number
  id?: string
  /** Key of the turn it continues; undefined for the first of a conversation. */
  before: number | undefined
  /** Ids of the turns that take the same place in other branches, and its own, in the order in which they began. */
  versions?: readonly string[]
  /** The user's message. */
  asked: string
  /** Pictures and PDFs that they handed over with it. */
  given: readonly FileReference[]
  mode?: Mode
  model?: string
  startedAt: number
  parts: readonly Part[]
  /** Current activity, in words. */
  doing?: string | undefined
  citations: readonly Citation[]
  changes: readonly ChangedNotes[]
  usage: StepUsage
  ended?: Pick<RunEnd, 'reason' | 'failure' | 'steps'> & { at: number }
}

/** Notes written by one call. */
export interface ChangedNotes {
  id: string
  title: string
  paths: readonly string[]
}

export type Part =
  | { kind: 'words'; text: string }
  | { kind: 'work'; entries: readonly WorkEntry[] }
  /** `isRetry`: a later retry takes its place. */
  | { kind: 'notice'; text: string; isRetry?: true }
  /** Files of the vault that the model was shown. */
  | { kind: 'files'; files: readonly FileReference[] }
  | { kind: 'approval'; panel: UserRequest; askedAt: number; decided: Readonly<Record<string, ApprovalDecision>> }

export type ApprovalDecision = Omit<Extract<ApprovalEvent, { type: 'approval-decided' }>, 'type' | 'id'>

/** Reasoning and calls between texts: shown as one folded line. */
export type WorkEntry = Thought | CallRow

export interface Thought {
  kind: 'thought'
  text: string
  startedAt: number
  endedAt?: number
}

export interface CallRow {
  kind: 'call'
  call: ToolCall
  title: string
  activity: string
  background: boolean
  startedAt: number
  endedAt?: number
  progress?: string | undefined
  result?: ToolResult
  cached?: true
}

export const emptyTranscript: TranscriptState = { seq: 0, turns: [], hidden: [] }

/** Panels that wait for the user, the oldest first. */
export function waitingPanels({ turns }: TranscriptState): UserRequest[] {
  const last = turns[turns.length - 1]
  return last?.parts.flatMap((part) => (part.kind === 'approval' && !isDecided(part) ? [part.panel] : [])) ?? []
}

export function isDecided({ panel, decided }: Extract<Part, { kind: 'approval' }>): boolean {
  const ids = panel.kind === 'batch' ? panel.requests.map(({ id }) => id) : [panel.id]
  return ids.every((id) => Object.hasOwn(decided, id))
}

export const isRunning = ({ turns }: TranscriptState): boolean => turns.length > 0 && turns.at(-1)?.ended === undefined

type Approval = Extract<Part, { kind: 'approval' }>

/** Applies events. Pure: the same events in the same order give the same transcript, in any batches. */
export function foldEvents(state: TranscriptState, told: readonly TranscriptEvent[]): TranscriptState {
  // One copy for the whole batch: a long conversation has thousands of events.
  let turns = [...state.turns]
  let { seq, hidden } = state
  for (const one of told) {
    if (one.seq <= seq) continue
    seq = one.seq
    const { event } = one
    if (event.type === 'branch-changed') {
      ;({ turns, hidden } = changeBranch(turns, hidden, event.after, Date.parse(one.time)))
    } else foldEvent(turns, one)
  }
  if (seq === state.seq) return state
  return { seq, turns: hidden.length > 0 ? withVersions(turns, hidden) : turns, hidden }
}

/** The path to another turn takes the place of the shown one. */
function changeBranch(turns: TurnState[], hidden: readonly TurnState[], after: string | undefined, at: number) {
  const last = turns.at(-1)
  const ended = last === undefined || last.ended !== undefined ? turns : [...turns.slice(0, -1), endBroken(last, at)]
  const all = [...ended, ...hidden]
  const byKey = new Map(all.map((turn) => [turn.key, turn]))
  const path: TurnState[] = []
  let next = after === undefined ? undefined : all.find(({ id }) => id === after)
  while (next !== undefined) {
    path.unshift(next)
    next = next.before === undefined ? undefined : byKey.get(next.before)
  }
  const hide = ({ versions: _, ...turn }: TurnState): TurnState => turn
  return { turns: path, hidden: all.filter((turn) => !path.includes(turn)).map(hide) }
}

/** Every shown turn that has others in its place knows them. */
function withVersions(turns: readonly TurnState[], hidden: readonly TurnState[]): TurnState[] {
  const inPlace = new Map<number | undefined, TurnState[]>()
  for (const turn of hidden) inPlace.set(turn.before, [...(inPlace.get(turn.before) ?? []), turn])
  return turns.map((turn) => {
    const others = inPlace.get(turn.before) ?? []
    if (others.length === 0) return turn
    const versions = [turn, ...others].sort((a, b) => a.key - b.key).flatMap(({ id }) => id ?? [])
    return turn.versions?.join() === versions.join() ? turn : { ...turn, versions }
  })
}

function foldEvent(turns: TurnState[], { seq, time, event }: TranscriptEvent): void {
  if (event.type === 'branch-changed') return
  const at = Date.parse(time)
  const last = turns[turns.length - 1]
  const isOpen = last !== undefined && last.ended === undefined
  const goesOn = event.type === 'run-start' ? event.continues && last !== undefined : isOpen
  if (goesOn && last !== undefined) {
    turns[turns.length - 1] = foldTurn(last, event, at)
    return
  }
  // A turn followed by another one has ended, even without an end event.
  if (isOpen) turns[turns.length - 1] = endBroken(last, at)
  turns.push(foldTurn(newTurn(seq, at, last?.key), event, at))
}

const endBroken = (turn: TurnState, at: number): TurnState =>
  endTurn({ ...turn, ended: { reason: 'stopped', steps: 0, at } }, at)

const newTurn = (key: number, startedAt: number, before: number | undefined): TurnState => ({
  key,
  before,
  startedAt,
  asked: '',
  given: [],
  parts: [],
  citations: [],
  changes: [],
  usage: {},
})

function foldTurn(turn: TurnState, event: Exclude<AgentEvent, { type: 'branch-changed' }>, at: number): TurnState {
  switch (event.type) {
    case 'run-start':
      return startRun(turn, event, at)
    case 'step-start':
      return { ...turn, doing: 'Thinking' }
    case 'waiting':
      return { ...turn, doing: waitingLine(event) }
    case 'text-delta':
      return { ...addWords(endThought(turn, at), event.text), doing: 'Writing' }
    case 'reasoning-delta':
      return { ...addThought(turn, event.text, at), doing: 'Thinking' }
    case 'tool-call': {
      const { type: _, ...about } = event
      return { ...addWork(endThought(turn, at), { kind: 'call', ...about, startedAt: at }), doing: event.activity }
    }
    case 'tool-progress': {
      const { text, done, total } = event.progress
      const progress = total === undefined ? text : `${text} ${done ?? 0} of ${total}`
      return updateCalls({ ...turn, doing: progress }, (row) =>
        row.call.id === event.callId && row.result === undefined ? { ...row, progress } : row,
      )
    }
    case 'tool-result':
      return addResult(turn, event, at)
    case 'retrying':
      return addRetry({ ...endThought(turn, at), doing: undefined }, retryLine(event))
    case 'notice':
      return addPart(endThought(turn, at), { kind: 'notice', text: event.text })
    case 'compacted':
      return addPart(endThought(turn, at), { kind: 'notice', text: compactedLine(event) })
    case 'project-changed':
      return addPart(endThought(turn, at), { kind: 'notice', text: projectLine(event) })
    case 'call-handed':
      return addPart(endThought(turn, at), {
        kind: 'notice',
        text: `${event.call.name} is a tool of the program that asked: it does the rest.`,
      })
    case 'step-end':
      return endThought(turn, at)
    case 'messages':
      return addFiles(turn, event)
    case 'approval-asked':
      return {
        ...addPart(endThought(turn, at), { kind: 'approval', panel: event.panel, askedAt: at, decided: {} }),
        doing: 'Waiting for you',
      }
    case 'approval-decided': {
      const { type: _, id, ...decided } = event
      return decide(turn, id, decided, at)
    }
    case 'citations':
      return { ...turn, citations: event.citations }
    case 'run-end': {
      const { reason, failure, steps, usage } = event
      return endTurn({ ...turn, usage, ended: { reason, steps, at, ...(failure && { failure }) } }, at)
    }
    default:
      return event satisfies never
  }
}

function startRun(turn: TurnState, event: Extract<AgentEvent, { type: 'run-start' }>, at: number): TurnState {
  const { turn: id, mode, model, text, continues } = event
  if (!continues) return { ...turn, id, mode, model, asked: text, doing: 'Thinking' }
  // Pending requests of an interrupted turn are dropped; repeated ones arrive as new panels.
  const { ended: _, ...rest } = turn.ended === undefined ? endTurn(turn, at) : turn
  return { ...rest, id, mode, model, doing: 'Thinking' }
}

const addPart = (turn: TurnState, part: Part): TurnState => ({ ...turn, parts: [...turn.parts, part] })

function replaceLast(turn: TurnState, part: Part): TurnState {
  return { ...turn, parts: [...turn.parts.slice(0, -1), part] }
}

function addRetry(turn: TurnState, text: string): TurnState {
  const last = turn.parts[turn.parts.length - 1]
  const part: Part = { kind: 'notice', text, isRetry: true }
  return last?.kind === 'notice' && last.isRetry ? replaceLast(turn, part) : addPart(turn, part)
}

function addWords(turn: TurnState, text: string): TurnState {
  const last = turn.parts[turn.parts.length - 1]
  if (last?.kind === 'words') return replaceLast(turn, { kind: 'words', text: last.text + text })
  // Models like to begin with an empty line.
  return text.trim() === '' ? turn : addPart(turn, { kind: 'words', text: text.trimStart() })
}

function addWork(turn: TurnState, entry: WorkEntry): TurnState {
  const last = turn.parts[turn.parts.length - 1]
  if (last?.kind !== 'work') return addPart(turn, { kind: 'work', entries: [entry] })
  return replaceLast(turn, { kind: 'work', entries: [...last.entries, entry] })
}

function addThought(turn: TurnState, text: string, at: number): TurnState {
  const last = turn.parts[turn.parts.length - 1]
  const open = last?.kind === 'work' ? last.entries[last.entries.length - 1] : undefined
  if (last?.kind !== 'work' || open?.kind !== 'thought' || open.endedAt !== undefined) {
    return text.trim() === '' ? turn : addWork(turn, { kind: 'thought', text: text.trimStart(), startedAt: at })
  }
  const entry = { ...open, text: open.text + text }
  return replaceLast(turn, { kind: 'work', entries: [...last.entries.slice(0, -1), entry] })
}

/** The files of a turn arrive with its messages, and may be repeated. */
function addFiles(turn: TurnState, { messages }: Extract<AgentEvent, { type: 'messages' }>): TurnState {
  const known = new Set(
    [turn.given, ...turn.parts.map((part) => (part.kind === 'files' ? part.files : []))].flat().map(keyOf),
  )
  const told = messages.flatMap(({ role, content }) => (role === 'user' && typeof content !== 'string' ? content : []))
  const files = told.flatMap((part) => referenceIn(part) ?? []).filter((file) => !known.has(keyOf(file)))
  if (files.length === 0) return turn
  const shown = files.filter(({ from }) => from === 'vault')
  const given = [...turn.given, ...files.filter(({ from }) => from === 'given')]
  return shown.length === 0 ? { ...turn, given } : addPart({ ...turn, given }, { kind: 'files', files: shown })
}

const keyOf = ({ from, name, hash }: FileReference): string => `${from} ${hash} ${name}`

function endThought(turn: TurnState, at: number): TurnState {
  const last = turn.parts[turn.parts.length - 1]
  const open = last?.kind === 'work' ? last.entries[last.entries.length - 1] : undefined
  if (last?.kind !== 'work' || open?.kind !== 'thought' || open.endedAt !== undefined) return turn
  return replaceLast(turn, { kind: 'work', entries: [...last.entries.slice(0, -1), { ...open, endedAt: at }] })
}

function updateCalls(turn: TurnState, update: (row: CallRow) => CallRow): TurnState {
  const parts = turn.parts.map((part): Part => {
    if (part.kind !== 'work') return part
    const entries = part.entries.map((entry) => (entry.kind === 'call' ? update(entry) : entry))
    return entries.some((entry, index) => entry !== part.entries[index]) ? { kind: 'work', entries } : part
  })
  return { ...turn, parts }
}

function addResult(turn: TurnState, event: Extract<AgentEvent, { type: 'tool-result' }>, at: number): TurnState {
  const { call, result, cached } = event
  const changes =
    result.ok && result.changeSet && !cached ? [...turn.changes, changedNotes(result.changeSet)] : turn.changes
  return updateCalls({ ...turn, changes, doing: 'Thinking' }, (row) =>
    row.call.id === call.id && row.result === undefined
      ? { ...row, progress: undefined, result, endedAt: at, ...(cached && { cached }) }
      : row,
  )
}

function changedNotes({
  id,
  title,
  changes,
}: {
  id: string
  title: string
  changes: readonly { path: string; to?: string }[]
}) {
  return { id, title, paths: [...new Set(changes.map(({ path, to }) => to ?? path))] }
}

function decide(turn: TurnState, id: string, decided: ApprovalDecision, at: number): TurnState {
  const concerns = ({ panel }: Approval) =>
    panel.id === id || (panel.kind === 'batch' && panel.requests.some((request) => request.id === id))
  const found = turn.parts.find((part): part is Approval => part.kind === 'approval' && concerns(part))
  if (found === undefined) return turn
  const answered: Approval = { ...found, decided: { ...found.decided, [id]: decided } }
  const parts = turn.parts.map((part) => (part === found ? answered : part))
  // The time in which a user was deciding is not the tool's.
  const waited = isDecided(answered) ? at - found.askedAt : 0
  return updateCalls({ ...turn, parts, doing: 'Thinking' }, (row) =>
    row.endedAt === undefined ? { ...row, startedAt: Math.min(at, row.startedAt + waited) } : row,
  )
}

/** Nothing of a turn that is over still waits or runs. */
function endTurn(turn: TurnState, at: number): TurnState {
  const { doing: _, ...rest } = endThought(turn, at)
  const parts = rest.parts.map((part): Part => {
    if (part.kind !== 'approval' || isDecided(part)) return part
    const ids = part.panel.kind === 'batch' ? part.panel.requests.map(({ id }) => id) : [part.panel.id]
    const stopped = Object.fromEntries(ids.map((id) => [id, { verdict: 'deny' as const, by: 'stopped' as const }]))
    return { ...part, decided: { ...stopped, ...part.decided } }
  })
  return updateCalls({ ...rest, parts }, (row) => (row.endedAt === undefined ? { ...row, endedAt: at } : row))
}

/** How a note came into a turn: the step that found it, as text; undefined if unknown. */
export function whyFound({ asked, parts }: Pick<TurnState, 'asked' | 'parts'>, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  if (asked.toLowerCase().includes(name.toLowerCase())) return 'you named it'
  const calls = parts.flatMap((part) => (part.kind === 'work' ? part.entries : []))
  const found = calls.find((entry): entry is CallRow => entry.kind === 'call' && holds(entry, path))
  return found && `found by: ${callLabel(found)}`
}

function holds({ result }: CallRow, path: string): boolean {
  return result?.ok === true && result.text.includes(path)
}
