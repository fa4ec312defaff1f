import {
  type AgentEvent,
  type AgentSetup,
  answeredTurns,
  type Compacted,
  compactedMessages,
  contextOfTurn,
  conversationOf,
  isTight,
  requestMessage,
  requestTokens,
  run,
  type Turn,
} from '../agent/index.js'
import { readAtCommands } from '../at-commands.js'
import { costOf } from '../costs.js'
import { Failure } from '../errors.js'
import { maxFileBytes } from '../files.js'
import { undecidedSentence } from '../index/index.js'
import type { LinkedAbort, ModelMessage, Profile, StepUsage } from '../model/index.js'
import { estimateTokens } from '../text/index.js'
import { dayAt, isoDate, timeZone, weekdayName } from '../time/index.js'
import { type Clock, type ToolSetup, type Toolset, toolsFor } from '../tools/index.js'
import { type BranchPoint, endOfBranch, placeOfTurn } from './branches.js'
import { type Compaction, compactTurns, fullness, isFull } from './compaction.js'
import { eventsForPrompt, turnsInBranch } from './resume-session.js'
import type { Request } from './session.js'
import {
  getModel,
  lookUpTools,
  modelSettings,
  reopenModel,
  reportOnce,
  type SessionInternals,
  withoutTool,
} from './session-internals.js'
import { joinedDeltas } from './session-record.js'
import type { StoredEvent } from './session-store.js'
import { titleWhenIdle } from './titles.js'
import {
  chosenPrompt,
  fileSource,
  nearInstructions,
  rememberedText,
  takeFiles,
  type VaultInstruction,
  vaultInstructions,
} from './turn-context.js'
import { overviewTokens, vaultOverview } from './vault-overview.js'

/** One turn of a session. Its events are stored as they arrive, so that stopping loses nothing. */
export function askSession(
  internals: SessionInternals,
  request: Request,
  stop: LinkedAbort,
): AsyncGenerator<AgentEvent> {
  return takeTurn(internals, stop, async (setup) => {
    const { text: typed, answers, files: handed = [], insteadOf, ...about } = request
    const place = insteadOf === undefined ? undefined : placeOfTurn(await storedEvents(internals), insteadOf)
    const { files: earlier = [], attached: earlierTexts = [], ...again } = place ? contextOfTurn(place.replaced) : {}
    const { texts, files: fresh } = await takeFiles(internals, handed)
    const files = [...earlier, ...fresh]
    if (answers !== undefined) internals.guard.observe(['clipped'])
    const { text, prompt } = await chosenPrompt(internals, typed)
    internals.guard.recordUserText(text)
    // A new question cancels a pending approval.
    internals.waiting = undefined
    const attached = [...earlierTexts, ...(about.attached ?? []), ...texts]
    const context = await contextOf(internals, { ...again, ...about, text, attached }, setup)
    // The origin of an attached file is unknown, so it counts as untrusted.
    if (files.length > 0) internals.guard.observe(['clipped'])
    if (place !== undefined) await changeBranch(internals, place.point)
    return {
      id: crypto.randomUUID(),
      text,
      ...(answers && { answers }),
      mode: internals.mode,
      context: { ...context, ...(files.length > 0 && { files }), ...(prompt && { prompt }) },
    }
  })
}

/** Resumes the turn that was interrupted while the user was being asked. */
export async function* resumeInSession(internals: SessionInternals, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  const { waiting } = internals
  if (waiting === undefined) return stop.release()
  const { start, begun } = waiting
  yield* takeTurn(internals, stop, async () => {
    internals.waiting = undefined
    internals.turns.pop()
    return { id: start.turn, text: start.text, mode: start.mode, begun }
  })
}

/** Continues after the newest turn in the branch of a turn. */
export async function showBranch(internals: SessionInternals, turn: string): Promise<void> {
  const endRunning = beginRunning(internals)
  try {
    await changeBranch(internals, endOfBranch(await storedEvents(internals), turn))
  } finally {
    endRunning()
  }
}

async function changeBranch(internals: SessionInternals, point: BranchPoint): Promise<void> {
  await keep(internals, { type: 'branch-changed', ...point })
  internals.turns = turnsInBranch(await storedEvents(internals))
  internals.waiting = undefined
  // They may have been given in a turn of the other branch.
  internals.givenInstructions.clear()
}

async function storedEvents({ record, host, id }: SessionInternals): Promise<StoredEvent[]> {
  if (record === undefined) throw new Failure('invalid-input', 'Only a chat that is saved has branches.')
  return host.sessions.read(id, { types: eventsForPrompt })
}

/** Summarizes the older turns on request. If the model fails, they stay as they are. */
export async function* compactSession(internals: SessionInternals, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  let endRunning: (() => void) | undefined
  try {
    endRunning = beginRunning(internals)
    const { setup } = await agentSetup(internals, stop.signal)
    const { event, failure } = await compact(internals, internals.turns, setup)
    if (failure !== undefined) throw failure
    if (event === undefined) return
    internals.turns = turnsAfter(event, internals.turns)
    await keep(internals, event)
    yield event
  } finally {
    stop.release()
    endRunning?.()
  }
}

/** The message a turn begins with, before it has begun. */
const openingMessage = ({ text, context }: Turn): ModelMessage => requestMessage(text, context?.files ?? [])

/** A session does one thing at a time. */
function beginRunning(internals: SessionInternals): () => void {
  if (internals.running !== undefined) {
    throw new Failure('conflict', 'This chat is still answering.', { hint: 'Stop it first, or wait.' })
  }
  let end = () => {}
  internals.running = new Promise((resolve) => {
    end = resolve
  })
  return () => {
    internals.running = undefined
    end()
  }
}

/**
 * Runs a turn and keeps its events. Older turns are summed up before it where they fill the window, or when its first
 * request is refused as too long, and then it is run once more. The summary takes their place when the turn was
 * answered: one that fails or is stopped leaves the conversation as it was.
 */
async function* takeTurn(
  internals: SessionInternals,
  stop: LinkedAbort,
  begin: (setup: AgentSetup) => Promise<Turn>,
): AsyncGenerator<AgentEvent> {
  const kept: AgentEvent[] = []
  let hasBegun = false
  let endRunning: (() => void) | undefined

  async function record(event: AgentEvent): Promise<AgentEvent> {
    await keep(internals, event)
    if (event.type === 'messages' || event.type === 'tool-result') kept.push(event)
    return event
  }

  try {
    endRunning = beginRunning(internals)
    internals.titling?.stop()
    const prepared = await agentSetup(internals, stop.signal)
    const turn = await begin(prepared.setup)
    const setup = withToolsFor(turn, prepared, internals)
    internals.turn = turn.id
    if (turn.begun) kept.push({ type: 'messages', messages: turn.begun.messages })
    let compacted = needsRoom(internals, turn, setup)
      ? (await compact(internals, internals.turns, setup)).event
      : undefined
    for (let isAgain = false; ; isAgain = true) {
      const turns = turnsAfter(compacted, internals.turns)
      const history = answeredTurns(turns.flat())
      const estimated = requestTokens(setup, [...history, openingMessage(turn)])
      let refused: AgentEvent | undefined
      for await (const event of joinedDeltas(run({ ...turn, history }, setup))) {
        if (event.type === 'step-end' && event.step === 1) learnRatio(internals, event.usage.input, estimated)
        if (isAgain && event.type === 'run-start') continue
        if (!isAgain && isTooLong(event)) {
          refused = event
          continue
        }
        if (compacted && event.type === 'run-end' && event.reason !== 'failed' && event.reason !== 'stopped') {
          internals.turns = turnsAfter(compacted, internals.turns)
          yield await record(compacted)
        }
        if (event.type === 'run-start') hasBegun = true
        if (event.type === 'run-end' && event.failure?.data?.kind === 'key') reopenModel(internals)
        yield await record(event)
        if (event.type === 'run-start')
          for (const notice of await undecidedNotices(internals)) yield await record(notice)
      }
      if (refused === undefined) break
      compacted = (await compact(internals, turns, setup)).event
      yield await record(compacted === undefined ? refused : { type: 'messages', messages: [], replaces: true })
      if (compacted === undefined) break
    }
    if (internals.record !== undefined)
      internals.titling = titleWhenIdle(internals, [...internals.turns, conversationOf(kept)])
  } finally {
    if (hasBegun) internals.turns.push(conversationOf(kept))
    stop.release()
    endRunning?.()
  }
}

/** Usage is counted even if the session is not stored. */
async function keep(internals: SessionInternals, event: AgentEvent): Promise<void> {
  if (internals.record !== undefined) return internals.record.keep(event)
  if (event.type === 'step-end') await count(internals, event.usage)
}

async function count(internals: SessionInternals, usage: StepUsage): Promise<void> {
  const { modelName: model, host, vault, turn, record, openedProject } = internals
  if (record !== undefined) return record.count(usage, turn)
  if (Object.keys(usage).length === 0) return
  const { input = 0, output = 0, cachedInput: cached = 0 } = usage
  const cost = usage.cost ?? costOf(model, usage, vault.settings.prices)
  const whose = { ...(turn && { turn }), ...(openedProject && { project: openedProject.project.name }) }
  const row = { time: host.clock.now().toISOString(), ...whose, model, input, output, cached, cost }
  // The answer does not fail because its usage could not be stored.
  await host.sessions.addUsage(row).catch(() => undefined)
}

const needsRoom = (internals: SessionInternals, turn: Turn, setup: AgentSetup): boolean =>
  turn.begun === undefined &&
  turn.answers === undefined &&
  isFull(fullness([...internals.turns, [openingMessage(turn)]], setup, internals.tokenRatio))

const isTooLong = (event: AgentEvent): boolean =>
  event.type === 'run-end' && event.steps <= 1 && event.failure?.data?.kind === 'context'

/** Estimates are off by about the same from request to request of one model. */
function learnRatio(internals: SessionInternals, counted: number | undefined, estimated: number): void {
  if (counted !== undefined && counted > leastCounted) {
    internals.tokenRatio = Math.min(2, Math.max(0.5, counted / Math.max(1, estimated)))
  }
}

/** Smaller requests are too noisy to learn from. */
const leastCounted = 500

/** Summarizes older turns and records the usage. The conversation stays unchanged until the summary is used. */
async function compact(
  internals: SessionInternals,
  turns: readonly ModelMessage[][],
  setup: AgentSetup,
): Promise<Compaction> {
  const compaction = await compactTurns(turns, setup, internals.tokenRatio)
  for (const used of compaction.usage) await count(internals, used)
  return compaction
}

/** The turns with the summary in place of those that it sums up. */
function turnsAfter(compacted: Compacted | undefined, turns: ModelMessage[][]): ModelMessage[][] {
  if (compacted === undefined) return turns
  const { to, summary } = compacted
  return turns.map((turn, at) => (at >= to ? turn : at === to - 1 ? compactedMessages(summary) : []))
}

/** Shown to the user only, not to the model. */
async function undecidedNotices({ vault, host }: SessionInternals): Promise<AgentEvent[]> {
  // An unreadable journal is reported by the operations that need it.
  const waiting = await vault.notebook.undecidedChanges().catch(() => [])
  return waiting.map((entry) => ({ type: 'notice', text: undecidedSentence(entry, host.howToDecide) }))
}

interface PreparedSetup {
  setup: AgentSetup
  /** Tools to choose from for a request; undefined where a model gets all or none. */
  choice?: Toolset | undefined
}

async function agentSetup(internals: SessionInternals, signal: AbortSignal): Promise<PreparedSetup> {
  const { options, vault, host, mode, id } = internals
  const opened = await getModel(internals)
  if (opened.provider !== 'offline') await host.beforeTurn?.()
  const { model, name, isNearby } = opened
  const asked = opened.window?.()
  const { setup, toolset } = await lookUpTools(internals, signal)
  // A note may have been written, or made private, since the previous turn. Errors are ignored here; the tool that
  // needs the index reports them.
  await vault.notebook.update({ signal, wait: 'text' }).catch(() => undefined)
  const { minutes, steps, stream, temperature, thinking, instructions, pictures } = modelSettings(internals, name)
  const profile = seeing(opened.profile, pictures)
  // Without a language model tools are called by our own words alone.
  const mayCall = vault.settings.tools.calling || opened.provider === 'offline'
  const hasTools = options.tools !== false && mayCall
  const choice = seesFiles(profile) ? toolset : withoutTool('view_file', toolset)
  // Without tools a call counts as unknown; lookups by the mode itself remain possible.
  const isClosed = !hasTools && (mode === 'agent' || mode === 'chat')
  const told = await asked
  const window = told && { ...told, tokens: Math.floor(told.tokens * internals.windowShare) }
  const about = {
    today: todayIn(host.clock),
    vault: hasTools ? await overviewText(internals, setup, isTight(window)) : undefined,
  }
  const vaultOwn = await vaultTexts(internals, setup, window?.tokens)
  const prepared: AgentSetup = {
    model,
    modelName: name,
    profile,
    tools: isClosed ? { ...setup, offered: new Set() } : setup,
    commands: setup,
    toolset: !hasTools ? [] : isTight(window) ? choice.few : choice.tools,
    window,
    files: fileSource(internals, setup),
    isNearby,
    guidance: toolset.guidance,
    instructions: {
      person: [await personsOwn(internals), instructions, internals.openedProject?.settings.instructions.person]
        .filter(Boolean)
        .join('\n\n'),
      vault: vaultOwn,
      skills: hasTools ? skillList(setup, window?.tokens) : undefined,
      memory: await rememberedText(internals, setup, window?.tokens),
    },
    mark: internals.mark,
    about,
    maxSteps: Math.min(50, Math.max(1, steps ?? profile.stepLimit)),
    maxMs: minutes * 60_000,
    onTooLong() {
      internals.windowShare *= lessWhenRefused
    },
    settings: { ...options.replies, stream, temperature, thinking },
    ...(options.clientTools && { clientTools: options.clientTools }),
    approvals: (listener) => vault.approvalQueue.listen(id, listener),
    signal,
  }
  return { setup: prepared, ...(hasTools && opened.provider !== 'offline' && { choice }) }
}

/** The setup with the tools that the request, or an earlier one of the conversation, needs. */
function withToolsFor(turn: Turn, { setup, choice }: PreparedSetup, { turns }: SessionInternals): AgentSetup {
  if (choice === undefined) return setup
  // A turn begins with its request. Later messages of the role are sentences of ours.
  const earlier = turns.flatMap((messages) => {
    const request = messages.find(({ role }) => role === 'user')
    return request === undefined ? [] : [textIn(request)]
  })
  const requests = [...earlier, turn.text, turn.context?.prompt?.text ?? '']
  const tools = toolsFor(choice, { isTight: isTight(setup.window), requests })
  const described = new Set(tools.map(({ name }) => name))
  return { ...setup, toolset: tools, tools: { ...setup.tools, described } }
}

const textIn = ({ content }: ModelMessage): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

/** The user's setting for pictures takes precedence over the model's profile. */
function seeing(profile: Profile, pictures: boolean | undefined): Profile {
  if (pictures === undefined) return profile
  return { ...profile, files: pictures ? { image: maxFileBytes.image, ...profile.files } : {} }
}

/** "Thursday, 2026-11-19 (Europe/Berlin)" */
function todayIn(clock: Clock): string {
  const day = dayAt(clock.now().getTime(), timeZone(clock.timeZone))
  return `${weekdayName(day)}, ${isoDate(day)} (${clock.timeZone})`
}

/** The same in every prompt of a conversation, until something it names is gone or hidden. */
async function overviewText(
  internals: SessionInternals,
  setup: ToolSetup,
  isShort: boolean,
): Promise<string | undefined> {
  const { index } = setup.guard.filterVisible(setup.context)
  const tokens = isShort ? overviewTokens.tight : overviewTokens.usual
  // An index that cannot be read is reported by the tool that needs it.
  const now = await vaultOverview(index, tokens).catch(() => undefined)
  const isStill = [...(internals.overview?.names ?? [])].every((name) => now?.names.has(name))
  if (internals.overview === undefined || !isStill) internals.overview = now
  if (internals.overview !== undefined) setup.guard.observe(['own-note'])
  return internals.overview?.text
}

/** A model that sees nothing has no use for a tool that shows. */
const seesFiles = ({ files }: Pick<Profile, 'files'>): boolean => Object.keys(files).length > 0

/** The same factor as the turn uses, so that the next request is not refused too. */
const lessWhenRefused = 0.6

/** The user's own `AGENTS.md`, beside their settings. */
async function personsOwn(internals: SessionInternals): Promise<string | undefined> {
  try {
    return await internals.host.guides?.instructions()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    reportOnce(internals, `Your own AGENTS.md was ignored: ${error.message}.`)
    return undefined
  }
}

const mostSkillTokens = 2000

/** A line for each, as far as there is room; the others are named. */
function skillList({ context: { skills = [] } }: ToolSetup, window = Number.POSITIVE_INFINITY): string | undefined {
  let left = Math.min(mostSkillTokens, window / 20)
  const lines = skills.map(({ name, description }) => {
    const line = `- ${name}: ${description}`
    left -= estimateTokens(line)
    return left >= 0 ? line : `- ${name}`
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** Instructions found in the vault, then those of the project. */
async function vaultTexts(internals: SessionInternals, setup: ToolSetup, window?: number): Promise<VaultInstruction[]> {
  const own = await vaultInstructions(setup, (text) => reportOnce(internals, text), window)
  const { project, settings } = internals.openedProject ?? {}
  const text = settings?.instructions.vault
  if (project?.note === undefined || text === undefined) return own
  setup.guard.observe(['own-note'], [project.note])
  return [...own, { label: `project ${project.name}`, text }]
}

/** The user's current note, selection and attachments, as far as the model may see them. */
async function contextOf(
  internals: SessionInternals,
  { text, note, selection, attached = [] }: Request,
  { tools, window, instructions }: AgentSetup,
): Promise<Turn['context']> {
  const { guard, context } = tools
  // The origin of attached text is unknown, so it counts as untrusted.
  if (attached.length > 0) guard.observe(['clipped'])
  if (note !== undefined || selection !== undefined) guard.observe(['own-note'])
  const { index } = guard.filterVisible(context)
  const currentNote = note === undefined ? undefined : (await index.find(note)).path
  // A name that no note has is ordinary text.
  const named = await Promise.all(readAtCommands(text).notes.map((name) => index.find(name).catch(() => undefined)))
  const atHand = [currentNote, ...named.map((found) => found?.path)].flatMap((path) => path ?? [])
  const used = new TextEncoder().encode(instructions?.vault?.map(({ text }) => text).join('') ?? '').length
  const onTrouble = (trouble: string) => reportOnce(internals, trouble)
  const folderInstructions = await nearInstructions(atHand, internals.givenInstructions, tools, onTrouble, {
    window: window?.tokens,
    used,
  })
  return {
    ...(currentNote && { currentNote }),
    ...(selection && { selection }),
    ...(folderInstructions.length > 0 && { folderInstructions }),
    attached: [...attached],
  }
}
