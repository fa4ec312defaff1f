import { type AgentEvent, type FileReference, referenceIn } from '../../core/agent/index.js'
import { compactedLine, projectLine, retryLine, waitingLine } from '../../core/session/index.js'
import {
  type CallRow,
  type Decided,
  isDecided,
  type Part,
  type Told,
  type TranscriptState,
  type TurnState,
  type WorkEntry,
} from './transcript-state.js'

type Approval = Extract<Part, { kind: 'approval' }>

/** Takes in what was told. Pure: the same things in the same order come to the same transcript, however they are cut. */
export function foldEvents(state: TranscriptState, told: readonly Told[]): TranscriptState {
  // One copy for all of them: a long conversation is told in thousands.
  const turns = [...state.turns]
  let { seq } = state
  for (const one of told) {
    if (one.seq <= seq) continue
    seq = one.seq
    foldEvent(turns, one)
  }
  return seq === state.seq ? state : { seq, turns }
}

function foldEvent(turns: TurnState[], { seq, time, event }: Told): void {
  const at = Date.parse(time)
  const last = turns[turns.length - 1]
  const isOpen = last !== undefined && last.ended === undefined
  const goesOn = event.type === 'run-start' ? event.continues && last !== undefined : isOpen
  if (goesOn) {
    turns[turns.length - 1] = foldTurn(last, event, at)
    return
  }
  // A turn that another one follows is over, whether or not anyone said so.
  if (isOpen) turns[turns.length - 1] = endTurn({ ...last, ended: { reason: 'stopped', steps: 0, at } }, at)
  turns.push(foldTurn(newTurn(seq, at), event, at))
}

const newTurn = (key: number, startedAt: number): TurnState => ({
  key,
  startedAt,
  asked: '',
  given: [],
  parts: [],
  citations: [],
  changes: [],
  usage: {},
})

function foldTurn(turn: TurnState, event: AgentEvent, at: number): TurnState {
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
      return addPart({ ...endThought(turn, at), doing: undefined }, { kind: 'notice', text: retryLine(event) })
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
  // What waited when it broke off waits no more; what is asked again comes as a new panel.
  const { ended: _, ...rest } = turn.ended === undefined ? endTurn(turn, at) : turn
  return { ...rest, id, mode, model, doing: 'Thinking' }
}

const addPart = (turn: TurnState, part: Part): TurnState => ({ ...turn, parts: [...turn.parts, part] })

function replaceLast(turn: TurnState, part: Part): TurnState {
  return { ...turn, parts: [...turn.parts.slice(0, -1), part] }
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

/** The files that a turn is about come with its messages, and may be told again. */
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

function decide(turn: TurnState, id: string, decided: Decided, at: number): TurnState {
  const concerns = ({ panel }: Approval) =>
    panel.id === id || (panel.kind === 'batch' && panel.requests.some((request) => request.id === id))
  const found = turn.parts.find((part): part is Approval => part.kind === 'approval' && concerns(part))
  if (found === undefined) return turn
  const answered: Approval = { ...found, decided: { ...found.decided, [id]: decided } }
  const parts = turn.parts.map((part) => (part === found ? answered : part))
  // The time in which a person was deciding is not the tool's.
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
