import type { AgentEvent, Citation, FileReference, Mode, RunEnd } from '../../core/agent/index.js'
import type { ApprovalEvent, Panel } from '../../core/approval/index.js'
import type { StepUsage } from '../../core/model/index.js'
import type { ToolCall, ToolResult } from '../../core/tools/index.js'

/** One thing that happened in a conversation, with its place in the order. As the session store keeps it. */
export interface Told {
  seq: number
  /** ISO 8601. */
  time: string
  event: AgentEvent
}

/** A conversation as it is drawn. Plain data, made of nothing but what was told. */
export interface TranscriptState {
  /** Of the last thing told; what is told again is not taken in twice. */
  seq: number
  turns: readonly TurnState[]
}

export interface TurnState {
  /** The same for as long as it is drawn. */
  key: number
  id?: string
  /** What the person asked. */
  asked: string
  /** Pictures and PDFs that they handed over with it. */
  given: readonly FileReference[]
  mode?: Mode
  model?: string
  startedAt: number
  parts: readonly Part[]
  /** What goes on at this moment, in words. */
  doing?: string
  citations: readonly Citation[]
  changes: readonly ChangedNotes[]
  usage: StepUsage
  ended?: Pick<RunEnd, 'reason' | 'failure' | 'steps'> & { at: number }
}

/** What one call wrote. */
export interface ChangedNotes {
  id: string
  title: string
  paths: readonly string[]
}

export type Part =
  | { kind: 'words'; text: string }
  | { kind: 'work'; entries: readonly WorkEntry[] }
  | { kind: 'notice'; text: string }
  /** Of the vault, that the model was shown. */
  | { kind: 'files'; files: readonly FileReference[] }
  | { kind: 'approval'; panel: Panel; askedAt: number; decided: Readonly<Record<string, Decided>> }

export type Decided = Omit<Extract<ApprovalEvent, { type: 'approval-decided' }>, 'type' | 'id'>

/** What was thought and done between words: shown as one folded line. */
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
  progress?: string
  result?: ToolResult
  cached?: true
}

export const emptyTranscript: TranscriptState = { seq: 0, turns: [] }

/** Panels that wait for the person, the oldest first. */
export function waitingPanels({ turns }: TranscriptState): Panel[] {
  const last = turns[turns.length - 1]
  return last?.parts.flatMap((part) => (part.kind === 'approval' && !isDecided(part) ? [part.panel] : [])) ?? []
}

export function isDecided({ panel, decided }: Extract<Part, { kind: 'approval' }>): boolean {
  const ids = panel.kind === 'batch' ? panel.requests.map(({ id }) => id) : [panel.id]
  return ids.every((id) => Object.hasOwn(decided, id))
}

export const isRunning = ({ turns }: TranscriptState): boolean =>
  turns.length > 0 && turns[turns.length - 1].ended === undefined
