import type { ApprovalEvent } from '../approval/index.js'
import type {
  CallAnswer,
  LanguageModelV3,
  ModelMessage,
  OfferedTool,
  Profile,
  RequestSettings,
} from '../model/index.js'
import type { GuidanceSetting, Tool, ToolCall, ToolResult, ToolSetup } from '../tools/index.js'
import type { Window } from './budget/window-share.js'
import type { FileReference } from './files/file-part.js'
import type { FileSource } from './files/send-files.js'

export const modes = ['agent', 'chat', 'vault-qa', 'plan'] as const
/** How a turn is run: with tools in a loop, without tools, retrieve then answer, or plan the calls once. */
export type Mode = (typeof modes)[number]

/** A text of the vault, and where it stands. */
export interface LabelledText {
  label: string
  text: string
}

/** One request of a person. */
export interface Turn {
  id: string
  text: string
  mode: Mode
  /** What came of calls that were handed over; the turn goes on with it in place of words. */
  answers?: readonly CallAnswer[]
  /** Earlier turns of the conversation. */
  history?: ModelMessage[]
  /** A turn that had broken off goes on from here: nothing is asked anew. */
  begun?: BegunTurn
  /** What the person is looking at. */
  context?: {
    currentNote?: string
    selection?: string
    attached?: { name: string; text: string }[]
    /** Pictures and PDFs that were handed over. */
    files?: FileReference[]
    /** What the folder of the note asks for. */
    wishes?: readonly LabelledText[]
    /** The person chose it by its name; its words are not theirs. */
    prompt?: { name: string; text: string }
  }
}

/** How far a turn had come. */
export interface BegunTurn {
  /** What it had brought to the conversation: the last is the reply whose calls are open. */
  messages: ModelMessage[]
  /** What came of its calls, as far as anyone knows. */
  results: ToolResult[]
  /** Those that are made now, since they had not happened: understood, ruled on and asked about anew. */
  calls: ToolCall[]
}

/** Hears of approvals until it is stopped. What is shown waits for the promise: it is written down before. */
export type ApprovalFeed = (listener: (event: ApprovalEvent) => Promise<void>) => () => void

/** What a turn runs with. The same for every front end. */
export interface AgentSetup {
  /** Already wrapped with its dialect, so that it calls tools natively as far as anyone here can tell. */
  model: LanguageModelV3
  /** As the person names it: `ollama/qwen3:8b`. */
  modelName: string
  profile: Profile
  /** How tools are run: registry, policy, log, and the notes. */
  tools: ToolSetup
  /** The same for what the person asks for with `@`, where the model may call less. */
  commands?: ToolSetup
  /** The tools offered, in the order of the registry. Empty: none. */
  toolset: readonly Tool[]
  /** Tools of whoever asks, offered beside ours in `agent` mode. Their calls are handed over, never run here. */
  clientTools?: readonly OfferedTool[]
  guidance?: Record<string, GuidanceSetting>
  /** Extra instructions of the person; those found in the vault, and what is remembered there, which count for less. */
  instructions?: { person?: string; vault?: readonly LabelledText[]; memory?: string; skills?: string }
  /** Encloses the vault's wishes. Nobody can foresee it; kept for a session, so that its prompts begin alike. */
  mark?: string
  /** How much fits into the model. Without it nothing is trimmed. */
  window?: Window
  /** Where the pictures and PDFs of the conversation are. */
  files?: FileSource
  /** It runs on a machine of the person's own, which may read a prompt for minutes. */
  isNearby?: boolean
  /** 1 to 50; 10 unless told, or what the profile says for small models. */
  maxSteps?: number
  /** 5 minutes unless told; waiting for a person does not count. */
  maxMs?: number
  /** What is shown to the person and decided, while calls wait: it becomes part of the events. */
  approvals?: ApprovalFeed
  /** Told when the provider refused a request as too long: there is less room than was thought. */
  onTooLong?(): void
  /** Streaming, temperature, thinking, retries. */
  settings?: RequestSettings
  signal: AbortSignal
}
