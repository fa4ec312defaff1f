import { type AgentEvent, answeredTurns, type Mode } from '../agent/index.js'
import {
  type ApprovalQueue,
  type AskUser,
  type ConsentLevel,
  type GuardMemory,
  guard,
  ruleVocabulary,
  type SessionGuard,
  type SessionScope,
} from '../approval/index.js'
import { costOf } from '../costs.js'
import { Failure, type FailureData, failureFromData } from '../errors.js'
import type { AttachedFile } from '../files.js'
import {
  abortOnReturn,
  type CallResultMessage,
  type LanguageModelV3,
  linkedAbort,
  type ModelMessage,
  type OfferedTool,
  profileFor,
  type RequestSettings,
} from '../model/index.js'
import type { OpenedModel } from '../providers/index.js'
import type { PromptFile } from '../skills.js'
import { runTool, type ToolCall, type ToolResult, type ToolSetup } from '../tools/index.js'
import { askSession, compactSession, resumeInSession, showBranch } from './ask-session.js'
import type { OpenedVault, VaultHost } from './opened-vault.js'
import { type Resumed, resumeSession } from './resume-session.js'
import { changeModel, followProject, getModel, lookUpTools, type SessionInternals } from './session-internals.js'
import { type SessionRecord, sessionRecord } from './session-record.js'
import type { KeptState, StoredEvent } from './session-store.js'
import { promptsOf } from './turn-context.js'

/** Options of a session. Omitted ones use the settings. */
export interface SessionOptions {
  /** Resumes the session with that name, or begins it. Also names its changes, so that they can be undone together. */
  id?: string | undefined
  /** false: the session is not stored. */
  keep?: boolean | undefined
  /** false: its first words are its title, and no model is asked for another. */
  autoTitle?: boolean | undefined
  /** `ollama/qwen3:8b`, `offline`; or a model of your own, which calls tools natively. */
  model?: string | LanguageModelV3 | undefined
  /** How turns are run. `agent` calls tools in a loop. */
  mode?: Mode | undefined
  /** Approval level. */
  consent?: ConsentLevel | undefined
  /** Rules that allow calls, for this session alone: `append_note(Inbox.md)`. */
  allow?: readonly string[] | undefined
  /** Rules that deny calls, for this session alone. */
  deny?: readonly string[] | undefined
  /** The folders it may read and change. */
  scope?: SessionScope | undefined
  /** The MCP client the session works for. Its taint is remembered beyond the session and applies to its next one. */
  client?: string | undefined
  /** false: no user is available in this session, even if a front end is open. */
  canAsk?: boolean | undefined
  /** Asks the user in this session, in place of the vault's front end. */
  askPerson?: AskUser | undefined
  /** How the model writes tool calls. Default: `auto`. */
  dialect?: string | undefined
  /** Most requests to the model in one turn, 1 to 50. */
  maxSteps?: number | undefined
  /** Time limit of one turn. Waiting for approval does not count. */
  minutes?: number | undefined
  /** Size of the context window, in tokens. */
  window?: number | undefined
  /** Time the model may be silent. */
  stallSeconds?: number | undefined
  /** Sampling temperature, 0 to 2. */
  temperature?: number | undefined
  /** Whether the model reasons before it answers, or for how many tokens. */
  thinking?: 'off' | 'on' | number | undefined
  /** The user's own part of the system message. */
  instructions?: string | undefined
  /** false: a reply is asked for in one piece. */
  stream?: boolean | undefined
  /** More options of replies: lengths, seeds, the answer's format. */
  replies?: RequestSettings | undefined
  /** Earlier messages, for a session that is not stored. They count as untrusted. */
  history?: readonly ModelMessage[] | undefined
  /** Tools of the client, in `agent` mode. They are offered with ours, and their calls are handed back to the client. */
  clientTools?: readonly OfferedTool[] | undefined
  /** false: the model is offered no tools. A list: these, of those that are switched on. */
  tools?: boolean | readonly string[] | undefined
  /** Shows the effects of calls without running them. */
  dryRun?: boolean | undefined
  /** The session's project. Everything outside it is invisible. */
  project?: string | undefined
  onStep?: ToolSetup['onStep'] | undefined
  /** Receives errors of storing or reading, as sentences for the user. */
  onTrouble?: ((text: string) => void) | undefined
}

/** The state needed to resume a session. Plain data. */
export interface SessionState extends GuardMemory {
  model: string
  mode: Mode
  consent: ConsentLevel
  project?: string
  messages: ModelMessage[]
}

/** A question, and the user's current note and selection. */
export interface Request {
  text: string
  /** Results of the calls that the last turn handed to the client; `text` is then empty. */
  answers?: readonly CallResultMessage[] | undefined
  /** The open note, as a user names it. */
  note?: string | undefined
  /** The text that is selected in it. */
  selection?: string | undefined
  /** Texts from elsewhere. They count as untrusted. */
  attached?: readonly { name: string; text: string }[] | undefined
  /** Attached files: texts, pictures, PDFs. Their types are detected by content. */
  files?: readonly AttachedFile[] | undefined
  /**
   * Turn whose place this request takes, in a new branch of the conversation. Its note, selection and attachments are
   * sent again. The other branch is kept.
   */
  insteadOf?: string | undefined
}

/**
 * One conversation with one vault: its own model, mode, consent, guard and history. Sessions are independent of each
 * other.
 */
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
  /** Switches to another model; throws and keeps this one if there is none of that name. */
  changeModel(name: string): Promise<OpenedModel>
  /** Runs one turn. Ending the iteration stops the turn; what happened until then stays in the conversation. */
  ask(request: string | Request, signal?: AbortSignal): AsyncGenerator<AgentEvent>
  /** Continues in the branch that has this turn, after the newest turn of it. */
  showBranch(turn: string): Promise<void>
  /** Summarizes the older turns now. Yields `compacted`, or nothing if there is nothing to summarize. */
  compact(signal?: AbortSignal): AsyncGenerator<AgentEvent>
  /** The approval at which an earlier process was interrupted: the request, and how many calls wait. */
  pendingApproval(): { text: string; calls: number } | undefined
  /** Resumes that turn: its calls are planned, checked and requested again. Does nothing without one. */
  resumeTurn(signal?: AbortSignal): AsyncGenerator<AgentEvent>
  /** Runs one tool as a model would, under the same policy. */
  call(call: Omit<ToolCall, 'id'> & { id?: string }, signal?: AbortSignal): Promise<ToolResult>
  /** The current setup for running tools, with toolset and rules looked up again. */
  toolSetup(signal?: AbortSignal): Promise<ToolSetup>
  /** The failure of a turn with advice: similar model names. */
  explain(failure: FailureData, signal: AbortSignal): Promise<Failure>
  state(): SessionState
  /** Stops running work and denies pending approvals. Other sessions continue. */
  close(): Promise<void>
}

/** Callbacks through which a session reports to its vault. */
interface SessionEnds {
  /** Called after events of the session were stored. */
  onKept: (id: string, kept: readonly StoredEvent[]) => void
  onClose: () => void
}

export async function openSession(
  vault: OpenedVault,
  host: VaultHost,
  options: SessionOptions,
  { onKept, onClose }: SessionEnds,
): Promise<Session> {
  const { id = newSessionId(host.clock.now()), keep = true } = options
  const { settings, registry, approvalQueue } = vault
  // A generated id is unique: the session is created with its first request.
  const left: Partial<Resumed> = keep && options.id !== undefined ? await leftOf(host, id, options) : {}
  const resumed = left.state
  const model = options.model ?? resumed?.model ?? settings.model
  const userSettings = {
    model: typeof model === 'string' ? model : `${model.provider}/${model.modelId}`,
    mode: options.mode ?? resumed?.mode ?? settings.mode,
    consent: options.consent ?? resumed?.consent ?? settings.consent,
  }
  const internals: SessionInternals = {
    id,
    vault,
    host,
    options,
    guard: guard({
      level: userSettings.consent,
      rules: () => internals.rules,
      vocabulary: () => ruleVocabulary(registry),
      grants: host.grants,
      approvals: queueFor(id, approvalQueue, options),
      canonical: host.canonical,
      memory: resumed,
      sources: options.client === undefined ? undefined : vault.clientTaint(options.client),
    }),
    rules: [],
    project: options.project ?? resumed?.project,
    userSettings,
    isResumed: resumed !== undefined,
    mode: userSettings.mode,
    ...(typeof model === 'string' ? { modelName: model } : ownModel(model)),
    turns: left.turns ?? (options.history ? [[...options.history]] : []),
    tokenRatio: 1,
    windowShare: 1,
    waiting: left.waiting,
    mark: crypto.randomUUID().slice(0, 8),
    files: new Map(),
    givenInstructions: new Set(),
    reported: new Set(),
    closing: new AbortController(),
  }
  hearHistory(internals)
  if (options.canAsk === false) approvalQueue.leaveUnattended(id)
  if (keep) internals.record = recordOf(internals, left, onKept)
  try {
    // Unreadable rules or tools are reported now, not in the middle of a conversation.
    await lookUpTools(internals, internals.closing.signal)
    await followProject(internals)
  } catch (error) {
    await left.writer?.release()
    throw error
  }

  return {
    id,
    get mode() {
      return internals.mode
    },
    set mode(mode) {
      internals.mode = mode
    },
    guard: internals.guard,
    get project() {
      return internals.openedProject?.project.name
    },
    async changeProject(name) {
      const before = {
        project: internals.project,
        openedProject: internals.openedProject,
        rules: internals.rules,
      } satisfies Partial<SessionInternals>
      internals.project = name
      try {
        await lookUpTools(internals, internals.closing.signal)
        await followProject(internals, true)
      } catch (error) {
        Object.assign(internals, before)
        throw error
      }
      // Messages of another project are not part of this conversation.
      internals.turns = internals.turns.map(() => [])
      internals.remembered = undefined
      internals.givenInstructions.clear()
      internals.waiting = undefined
      const { openedProject, turns } = internals
      // A session without turns is not stored.
      if (turns.length > 0)
        await internals.record?.keep({
          type: 'project-changed',
          ...(openedProject && { project: openedProject.project.name }),
        })
    },
    prompts: () => promptsOf(internals),
    model: () => getModel(internals),
    changeModel: (name) => changeModel(internals, name),
    ask(request, signal) {
      const stop = linkedAbort(internals.closing.signal, signal)
      const asked = typeof request === 'string' ? { text: request } : request
      return abortOnReturn(askSession(internals, asked, stop), stop)
    },
    showBranch: (turn) => showBranch(internals, turn),
    compact(signal) {
      const stop = linkedAbort(internals.closing.signal, signal)
      return abortOnReturn(compactSession(internals, stop), stop)
    },
    pendingApproval: () =>
      internals.waiting && { text: internals.waiting.start.text, calls: internals.waiting.begun.calls.length },
    resumeTurn(signal) {
      const stop = linkedAbort(internals.closing.signal, signal)
      return abortOnReturn(resumeInSession(internals, stop), stop)
    },
    async call(call, signal) {
      const stop = linkedAbort(internals.closing.signal, signal)
      try {
        const { setup } = await lookUpTools(internals, stop.signal)
        return await runTool({ id: crypto.randomUUID(), ...call }, setup)
      } finally {
        stop.release()
      }
    },
    toolSetup: async (signal = internals.closing.signal) => (await lookUpTools(internals, signal)).setup,
    async explain(data, signal) {
      const failure = failureFromData(data)
      const near = (await host.nearModels?.(internals.modelName, failure, signal)) ?? []
      if (near.length === 0) return failure
      return new Failure(failure.code, failure.message, {
        hint: `Did you mean ${near.join(' or ')}?`,
        data: failure.details.data,
      })
    },
    state: () => ({ ...stateOf(internals), messages: answeredTurns(internals.turns.flat()) }),
    async close() {
      onClose()
      internals.titling?.stop()
      internals.closing.abort(new Error('The chat was closed.'))
      approvalQueue.close(id)
      await internals.running
      await internals.record?.close()
    },
  }
}

function queueFor(id: string, queue: ApprovalQueue, { canAsk, askPerson }: SessionOptions): ApprovalQueue | undefined {
  if (canAsk === false) return undefined
  return askPerson === undefined ? queue : queue.askedBy(id, askPerson)
}

/** Earlier reads and typed text are unknown, so they count as both private and untrusted. */
function hearHistory({ guard, options: { history = [] } }: SessionInternals): void {
  if (history.length > 0) guard.observe(['own-note', 'clipped'])
  for (const { role, content } of history)
    if (role === 'user' && typeof content === 'string') guard.recordUserText(content)
}

/** If the store cannot be read, the session starts empty and the user is told. */
async function leftOf(
  { sessions, log }: VaultHost,
  id: string,
  { onTrouble }: SessionOptions,
): Promise<Partial<Resumed>> {
  try {
    return await resumeSession(sessions, log, id)
  } catch (error) {
    if (error instanceof Failure) throw error
    onTrouble?.(`This chat can't be saved: ${(error as Error).message}`)
    return {}
  }
}

function recordOf(
  internals: SessionInternals,
  { writer, about }: Partial<Resumed>,
  onKept: SessionEnds['onKept'],
): SessionRecord {
  const { id, host, options, vault } = internals
  return sessionRecord({
    store: host.sessions,
    id,
    writer,
    about,
    redact: host.redact,
    now: () => host.clock.now(),
    state: () => stateOf(internals),
    price: (model, usage) => costOf(model, usage, vault.settings.prices),
    onKept: (kept) => onKept(id, kept),
    onTrouble: options.onTrouble ?? (() => {}),
  })
}

function stateOf({ guard, modelName, mode, openedProject }: SessionInternals): KeptState {
  const project = openedProject && { project: openedProject.project.name }
  return { ...guard.memory(), model: modelName, mode, consent: guard.level, ...project }
}

function ownModel(model: LanguageModelV3): Pick<SessionInternals, 'modelName' | 'model'> {
  const { provider, modelId } = model
  const name = `${provider}/${modelId}`
  const profile = { ...profileFor(modelId), dialect: 'native' }
  return { modelName: name, model: Promise.resolve({ name, provider, model, profile }) }
}

/** A name that sorts by its day, short enough to be typed: `2026-03-01-k3f9a2`. */
export function newSessionId(now: Date): string {
  const random = crypto.getRandomValues(new Uint8Array(6))
  return `${now.toISOString().slice(0, 10)}-${[...random].map((byte) => (byte % 36).toString(36)).join('')}`
}
