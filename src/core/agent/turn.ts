import type { ApprovalEvent } from '../approval/index.js'
import type { FailureData } from '../errors.js'
import type {
  CallResultMessage,
  LanguageModelV3,
  ModelMessage,
  OfferedTool,
  Profile,
  ReplyCall,
  RequestSettings,
  StepUsage,
} from '../model/index.js'
import type { GuidanceSetting, Tool, ToolCall, ToolProgress, ToolResult, ToolSetup } from '../tools/index.js'
import type { Citation } from './citations.js'
import type { Window } from './context-budget.js'
import type { FileReference, FileSource } from './file-parts.js'

/** The ways to run a turn, by name. */
export const modes = ['agent', 'chat', 'vault-qa', 'plan'] as const
/** How a turn is run: with tools in a loop, without tools, retrieve then answer, or plan the calls once. */
export type Mode = (typeof modes)[number]

/** A text of the vault, and where it stands. */
export interface LabelledText {
  label: string
  text: string
}

/** One request of a user. */
export interface Turn {
  id: string
  text: string
  mode: Mode
  /** Results of calls that were handed to the client; the turn continues with them instead of text. */
  answers?: readonly CallResultMessage[]
  /** Earlier turns of the conversation. */
  history?: ModelMessage[]
  /** State of an interrupted turn to resume; completed calls are not repeated. */
  begun?: BegunTurn
  /** The user's current note, selection and attachments. */
  context?: {
    currentNote?: string
    selection?: string
    attached?: { name: string; text: string }[]
    /** Pictures and PDFs that were handed over. */
    files?: FileReference[]
    /** Instructions found in the folder of the note. */
    folderInstructions?: readonly LabelledText[]
    /** The user chose it by name; its text is not the user's own. */
    prompt?: { name: string; text: string }
  }
}

/** The progress of an interrupted turn. */
export interface BegunTurn {
  /** Its messages so far; the last is the reply whose calls are open. */
  messages: ModelMessage[]
  /** Known results of its calls. */
  results: ToolResult[]
  /** Calls that had not run. They are planned, checked and approved again. */
  calls: ToolCall[]
}

/**
 * Delivers approval events until stopped. A panel is shown only after the promise resolves, when the event is stored.
 */
export type ApprovalFeed = (listener: (event: ApprovalEvent) => Promise<void>) => () => void

/** Everything a turn needs. The same for every front end. */
export interface AgentSetup {
  /** Already wrapped with its dialect, so that it appears to call tools natively. */
  model: LanguageModelV3
  /** As the user names it: `ollama/qwen3:8b`. */
  modelName: string
  profile: Profile
  /** How tools are run: registry, policy, log, and the notes. */
  tools: ToolSetup
  /** The same for `@` commands, if the model may use fewer tools. */
  commands?: ToolSetup
  /** The tools offered, in the order of the registry. Empty: none. */
  toolset: readonly Tool[]
  /** The client's own tools, offered beside ours in `agent` mode. Their calls are handed over, never run here. */
  clientTools?: readonly OfferedTool[]
  guidance?: Record<string, GuidanceSetting>
  /** The user's instructions; those found in the vault and the memories, which have less weight. */
  instructions?: {
    person?: string
    vault?: readonly LabelledText[]
    memory?: string | undefined
    skills?: string | undefined
  }
  /** Facts for the prompt that change rarely: the user's day, and what the vault contains. */
  about?: { today: string; vault?: string | undefined }
  /**
   * Random marker around instructions from the vault. Unpredictable, and constant within a session so that its prompts
   * share a prefix.
   */
  mark?: string
  /** Size of the context window. Without it nothing is trimmed. */
  window?: Window | undefined
  /** Source of the conversation's pictures and PDFs. */
  files?: FileSource
  /** The model runs on the user's machine or network, and may read a prompt for minutes. */
  isNearby?: boolean | undefined
  /** 1 to 50. Default 10, or the profile's value for small models. */
  maxSteps?: number | undefined
  /** Default 5 minutes; waiting for the user does not count. */
  maxMs?: number
  /** Feed of approval requests and decisions, which become events of the turn. */
  approvals?: ApprovalFeed
  /** Called when the provider refused a request as too long: the window is smaller than assumed. */
  onTooLong?(): void
  /** Streaming, temperature, thinking, retries. */
  settings?: RequestSettings
  signal: AbortSignal
}

/**
 * Everything that happens in a turn, in order. Every front end draws these and adds no logic of its own. Plain data:
 * each equals itself after JSON, so that it can be stored, sent, and drawn again.
 */
export type AgentEvent =
  | RunStart
  | { type: 'step-start'; step: number }
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** A model requested a tool; `activity` is the text shown to the user: "Searching notes". */
  | { type: 'tool-call'; call: ToolCall; title: string; activity: string; background: boolean }
  | { type: 'tool-progress'; callId: string; progress: ToolProgress }
  /** `cached`: an identical call of this turn, a read or the change just made, was answered again without running. */
  | { type: 'tool-result'; call: ToolCall; result: ToolResult; cached?: true }
  /** The provider failed before replying, and is asked again after the wait. */
  | { type: 'retrying'; why: string; waitMs: number; attempt?: number; attempts?: number }
  /**
   * No output yet; repeated every few seconds, so that the user sees progress. `prompt`: a local model is reading the
   * prompt. `retry`: the seconds left until the request is sent again.
   */
  | { type: 'waiting'; why: 'prompt' | 'model' | 'retry'; seconds: number }
  /** A notice for the user: another mode taking over, a model repeating itself. */
  | { type: 'notice'; text: string }
  | { type: 'step-end'; step: number; usage: StepUsage }
  /** New messages of the conversation. `replaces`: they replace all earlier messages of this turn. Stored as `anew` before. */
  | { type: 'messages'; messages: ModelMessage[]; replaces?: true; anew?: true }
  /** A call waits for approval, or was decided. */
  | ApprovalEvent
  /** A call of one of the client's own tools: the client runs it, and the turn ends with it. */
  | { type: 'call-handed'; call: Pick<ReplyCall, 'id' | 'name' | 'argumentsText'> }
  | { type: 'citations'; citations: Citation[] }
  | Compacted
  /** A new conversation begins in another project, or in the whole vault; earlier turns are not part of it. */
  | { type: 'project-changed'; project?: string | undefined }
  /** The next turn continues after that one, of `turns` turns; without it, at the beginning. Other branches are kept. */
  | { type: 'branch-changed'; after?: string; turns: number }
  | RunEnd

export interface RunStart {
  type: 'run-start'
  turn: string
  mode: Mode
  model: string
  /** The question. */
  text: string
  /** Names of what they handed over with it. */
  attached?: string[]
  /** An interrupted turn resumes, without a new request. */
  continues?: true
}

/** The turns between the two numbers were summarized. The store keeps the originals. */
export interface Compacted {
  type: 'compacted'
  from: number
  to: number
  /** Tokens of the conversation, as estimated. */
  before: number
  after: number
  /** The summary that the model gets instead. */
  summary: string
}

/** The last event of a turn: how it ended, its answer and its failure. */
export interface RunEnd {
  type: 'run-end'
  /** `handed-over`: resumes when the client has answered the calls of its own tools. */
  reason: 'answered' | 'handed-over' | 'step-limit' | 'stopped' | 'failed'
  /** The answer so far. */
  text: string
  /** Messages that this turn adds to the conversation. */
  messages: ModelMessage[]
  steps: number
  usage: StepUsage
  failure?: FailureData
}
