import type { AgentEvent, Mode } from '../agent/index.js'
import type { ConsentLevel, GuardMemory, SessionGuard, SessionScope } from '../approval/index.js'
import type { Failure, FailureData } from '../errors.js'
import type { GivenFile } from '../files/index.js'
import type { PromptFile } from '../guides/index.js'
import type { CallAnswer, LanguageModelV3, ModelMessage, OfferedTool, RequestSettings } from '../model/index.js'
import type { OpenedModel } from '../providers/index.js'
import type { ToolCall, ToolResult, ToolSetup } from '../tools/index.js'

/** How a session works. What is left out is as the settings say. */
export interface SessionOptions {
  /** Goes on with the session of that name, or begins it. Also names its changes, so that they can be undone together. */
  id?: string
  /** false: nothing of it is kept. */
  keep?: boolean
  /** false: its first words are its title, and no model is asked for another. */
  autoTitle?: boolean
  /** `ollama/qwen3:8b`, `offline`; or a model of your own, which calls tools natively. */
  model?: string | LanguageModelV3
  mode?: Mode
  consent?: ConsentLevel
  /** Rules for this session alone. */
  allow?: readonly string[]
  deny?: readonly string[]
  /** The folders it is kept to. */
  scope?: SessionScope
  /** false: nobody can be asked in this session, whoever sits at the desk. */
  canAsk?: boolean
  dialect?: string
  maxSteps?: number
  /** What one turn may take. */
  minutes?: number
  /** Tokens that fit into the model. */
  window?: number
  /** How long the model may send nothing. */
  stallSeconds?: number
  temperature?: number
  thinking?: 'off' | 'on' | number
  /** The person's own part of the system message. */
  instructions?: string
  /** false: a reply is asked for in one piece. */
  stream?: boolean
  /** How replies are asked for beyond the above: lengths, seeds, the answer's form. */
  replies?: RequestSettings
  /** What was said before, for a session that is not kept. It is taken for a stranger's. */
  history?: readonly ModelMessage[]
  /** Tools of whoever asks, in `agent` mode: offered beside ours, and handed back, never run here. */
  clientTools?: readonly OfferedTool[]
  /** false: the model is offered no tools. A list: these, of those that are switched on. */
  tools?: boolean | readonly string[]
  /** Shows what would happen, and does none of it. */
  dryRun?: boolean
  /** The part of the vault it is about. Everything outside of it is not there. */
  project?: string
  onStep?: ToolSetup['onStep']
  /** Told what could not be kept or read, in a sentence for the person. */
  onTrouble?: (text: string) => void
}

/** What a session must know again to go on. Plain data. */
export interface SessionState extends GuardMemory {
  model: string
  mode: Mode
  consent: ConsentLevel
  project?: string
  messages: ModelMessage[]
}

/** What a person asks, and what they look at while asking. */
export interface Request {
  text: string
  /** What came of the calls that the last turn handed over; then there are no words. */
  answers?: readonly CallAnswer[]
  /** The open note, as a person names it. */
  note?: string
  selection?: string
  /** Texts from elsewhere. */
  attached?: readonly { name: string; text: string }[]
  /** Files that are handed over: texts, pictures, PDFs. What each is, its bytes say. */
  files?: readonly GivenFile[]
}

/** One conversation with one vault: its own model, mode, consent, guard and history. Any number of them go side by side. */
export interface Session {
  readonly id: string
  mode: Mode
  readonly guard: SessionGuard
  /** The name of the project it is in. */
  readonly project: string | undefined
  /** Begins a new conversation in another project, or in the whole vault; stays where it is when there is none of that name. */
  changeProject(name: string | undefined): Promise<void>
  /** Prompt files that `/name` stands for. */
  prompts(): Promise<PromptFile[]>
  /** The model, opened when it is first asked for. */
  model(): Promise<OpenedModel>
  /** Goes on with another model; fails and stays with this one when there is none of that name. */
  changeModel(name: string): Promise<OpenedModel>
  /** One turn. Who leaves the stream stops it; what had happened until then stays in the conversation. */
  ask(request: string | Request, signal?: AbortSignal): AsyncGenerator<AgentEvent>
  /** Sums up the older turns now. Tells `compacted`, or nothing where there is nothing to sum up. */
  compact(signal?: AbortSignal): AsyncGenerator<AgentEvent>
  /** What an earlier process was stopped at while a person was being asked: the request, and how many calls wait. */
  waits(): { text: string; calls: number } | undefined
  /** Goes on with that turn: its calls are planned, ruled on and asked about anew. Without one, nothing happens. */
  goOn(signal?: AbortSignal): AsyncGenerator<AgentEvent>
  /** Runs one tool as a model would, under the same policy. */
  call(call: Omit<ToolCall, 'id'> & { id?: string }, signal?: AbortSignal): Promise<ToolResult>
  /** What tools run with at this moment: toolset and rules are looked up anew. */
  toolSetup(signal?: AbortSignal): Promise<ToolSetup>
  /** The failure of a turn with what helps: names the model may have been meant by. */
  explain(failure: FailureData, signal: AbortSignal): Promise<Failure>
  state(): SessionState
  /** Stops what runs and denies what waits. Other sessions go on. */
  close(): Promise<void>
}
