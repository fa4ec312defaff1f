import {
  type AgentEvent,
  type AgentSetup,
  answeredTurns,
  compactedMessages,
  conversationOf,
  isTight,
  requestMessage,
  requestTokens,
  run,
  type Turn,
} from '../agent/index.js'
import { readAtCommands } from '../at-commands/index.js'
import { costOf } from '../costs/index.js'
import { Failure } from '../errors.js'
import { mostBytes } from '../files/index.js'
import type { LinkedAbort, ModelMessage, Profile, StepUsage } from '../model/index.js'
import { unsettledSentence } from '../notebook/index.js'
import { estimateTokens } from '../text/index.js'
import type { ToolSetup } from '../tools/index.js'
import { chosenPrompt } from './chosen-prompt.js'
import { compactTurns, fullness, isFull } from './compact/compact-turns.js'
import { fileSource, takeFiles } from './files-at-hand.js'
import { joinedDeltas } from './record/joined-deltas.js'
import { rememberedText } from './remembered-text.js'
import type { Request } from './session.js'
import {
  lookUpTools,
  modelSettings,
  openAnew,
  openedModel,
  type SessionParts,
  tellOnce,
  without,
} from './session-parts.js'
import { titleWhenIdle } from './titles/title-when-idle.js'
import { nearInstructions, type VaultWish, vaultInstructions } from './vault-instructions.js'

/** One turn of a session. What it says is kept as it comes, so that leaving it loses nothing. */
export function askSession(parts: SessionParts, request: Request, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  return takeTurn(parts, stop, async (setup) => {
    const { text: typed, answers, files: handed = [], ...about } = request
    const { texts, files } = await takeFiles(parts, handed)
    if (answers !== undefined) parts.guard.observe(['clipped'])
    const { text, prompt } = await chosenPrompt(parts, typed)
    parts.guard.hear(text)
    // Who asks something else has given up what waited.
    parts.waiting = undefined
    const attached = [...(about.attached ?? []), ...texts]
    const context = await contextOf(parts, { ...about, text, attached }, setup)
    // Nobody knows where a file comes from that was handed in.
    if (files.length > 0) parts.guard.observe(['clipped'])
    return {
      id: crypto.randomUUID(),
      text,
      ...(answers && { answers }),
      mode: parts.mode,
      context: { ...context, ...(files.length > 0 && { files }), ...(prompt && { prompt }) },
    }
  })
}

/** The turn that broke off while a person was being asked, taken up again. */
export async function* goOnInSession(parts: SessionParts, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  const { waiting } = parts
  if (waiting === undefined) return stop.release()
  const { start, begun } = waiting
  yield* takeTurn(parts, stop, async () => {
    parts.waiting = undefined
    parts.turns.pop()
    return { id: start.turn, text: start.text, mode: start.mode, begun }
  })
}

/** Sums up the older turns because somebody asks for it. */
export async function* compactSession(parts: SessionParts, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  const end = beginRunning(parts)
  try {
    yield* compact(parts, await agentSetup(parts, stop.signal))
  } finally {
    stop.release()
    end()
  }
}

/** About what a turn begins with, before it has begun. */
const openingMessage = ({ text, context }: Turn): ModelMessage => requestMessage(text, context?.files ?? [])

/** Only one thing goes on in a session at a time. */
function beginRunning(parts: SessionParts): () => void {
  if (parts.running !== undefined) {
    throw new Failure('conflict', 'This session is still answering.', { hint: 'Stop it first, or wait.' })
  }
  let end = () => {}
  parts.running = new Promise((resolve) => {
    end = resolve
  })
  return () => {
    parts.running = undefined
    end()
  }
}

async function* takeTurn(
  parts: SessionParts,
  stop: LinkedAbort,
  begin: (setup: AgentSetup) => Promise<Turn>,
): AsyncGenerator<AgentEvent> {
  const endRunning = beginRunning(parts)
  parts.titling?.stop()
  const kept: AgentEvent[] = []
  let hasBegun = false
  try {
    const setup = await agentSetup(parts, stop.signal)
    const turn = await begin(setup)
    parts.turn = turn.id
    if (turn.begun) kept.push({ type: 'messages', messages: turn.begun.messages })
    else if (
      turn.answers === undefined &&
      isFull(fullness([...parts.turns, [openingMessage(turn)]], setup, parts.tokenRatio))
    ) {
      yield* compact(parts, setup)
    }
    for await (const event of joinedDeltas(withNotices(runWithRoom(parts, turn, setup), parts))) {
      if (event.type === 'run-start') hasBegun = true
      if (event.type === 'run-end' && event.failure?.data?.kind === 'key') openAnew(parts)
      await keep(parts, event)
      if (event.type === 'messages' || event.type === 'tool-result') kept.push(event)
      yield event
    }
    if (parts.record !== undefined) parts.titling = titleWhenIdle(parts, [...parts.turns, conversationOf(kept)])
  } finally {
    if (hasBegun) parts.turns.push(conversationOf(kept))
    stop.release()
    endRunning()
  }
}

/** Where nothing of a session is kept, what it used is counted all the same. */
async function keep(parts: SessionParts, event: AgentEvent): Promise<void> {
  if (parts.record !== undefined) return parts.record.keep(event)
  if (event.type === 'step-end') await count(parts, event.usage)
}

async function count(parts: SessionParts, usage: StepUsage): Promise<void> {
  const { modelName: model, host, vault, turn, record, opened } = parts
  if (record !== undefined) return record.count(usage, turn)
  if (Object.keys(usage).length === 0) return
  const { input = 0, output = 0, cachedInput: cached = 0 } = usage
  const cost = usage.cost ?? costOf(model, usage, vault.settings.prices)
  const whose = { ...(turn && { turn }), ...(opened && { project: opened.project.name }) }
  const row = { time: host.clock.now().toISOString(), ...whose, model, input, output, cached, cost }
  await host.sessions.addUsage(row).catch(() => undefined)
}

/** Runs a turn; where its first request is refused as too long, older turns are summed up, and it is made once more. */
async function* runWithRoom(parts: SessionParts, turn: Turn, setup: AgentSetup): AsyncGenerator<AgentEvent> {
  for (let isAgain = false; ; isAgain = true) {
    const history = answeredTurns(parts.turns.flat())
    const estimated = requestTokens(setup, [...history, openingMessage(turn)])
    let refused: AgentEvent | undefined
    for await (const event of run({ ...turn, history }, setup)) {
      if (event.type === 'step-end' && event.step === 1) learnRatio(parts, event.usage.input, estimated)
      if (isAgain && event.type === 'run-start') continue
      if (!isAgain && isTooLong(event)) refused = event
      else yield event
    }
    if (refused === undefined) return
    const hasRoom = yield* compact(parts, setup)
    if (!hasRoom) {
      yield refused
      return
    }
    yield { type: 'messages', messages: [], anew: true }
  }
}

const isTooLong = (event: AgentEvent): boolean =>
  event.type === 'run-end' && event.steps <= 1 && event.failure?.data?.kind === 'context'

/** Estimates are off by about the same from request to request of one model. */
function learnRatio(parts: SessionParts, counted: number | undefined, estimated: number): void {
  if (counted !== undefined && counted > leastCounted) {
    parts.tokenRatio = Math.min(2, Math.max(0.5, counted / Math.max(1, estimated)))
  }
}

/** Of less nothing can be learnt. */
const leastCounted = 500

/** Sums up older turns. Answers whether that made any room. */
async function* compact(parts: SessionParts, setup: AgentSetup): AsyncGenerator<AgentEvent, boolean> {
  const compaction = await compactTurns(parts.turns, setup, parts.tokenRatio)
  if (compaction === undefined) return false
  const { event, usage } = compaction
  for (const used of usage) await count(parts, used)
  await keep(parts, event)
  parts.turns = parts.turns.map((turn, at) =>
    at >= event.to ? turn : at === event.to - 1 ? compactedMessages(event.summary) : [],
  )
  yield event
  return true
}

async function* withNotices(events: AsyncGenerator<AgentEvent>, parts: SessionParts): AsyncGenerator<AgentEvent, void> {
  for await (const event of events) {
    yield event
    if (event.type === 'run-start') yield* unsettledNotices(parts)
  }
}

/** For the person alone: the model is told nothing of it. */
async function* unsettledNotices({ vault, host }: SessionParts): AsyncGenerator<AgentEvent> {
  // A journal that cannot be read says so where it is needed.
  const waiting = await vault.notebook.unsettled().catch(() => [])
  for (const entry of waiting) yield { type: 'notice', text: unsettledSentence(entry, host.howToDecide) }
}

async function agentSetup(parts: SessionParts, signal: AbortSignal): Promise<AgentSetup> {
  const { options, vault, host, mode, id } = parts
  const opened = await openedModel(parts)
  if (opened.provider !== 'offline') await host.beforeTurn?.()
  const { model, name, isNearby } = opened
  const asked = opened.window?.()
  const { setup, toolset } = await lookUpTools(parts, signal)
  // A note may have been written, or made private, since the turn before. What fails here fails again, and aloud, in the
  // tool that needs it.
  await vault.notebook.refresh({ signal }).catch(() => undefined)
  const { minutes, steps, stream, temperature, thinking, instructions, pictures } = modelSettings(parts, name)
  const profile = seeing(opened.profile, pictures)
  // Without a language model tools are called by our own words alone.
  const mayCall = vault.settings.tools.calling || opened.provider === 'offline'
  const hasTools = options.tools !== false && mayCall
  const { tools: offered, few } = seesFiles(profile) ? toolset : without('view_file', toolset)
  // Without tools a call is a call to an unknown one; what a mode looks up by itself stays possible.
  const isClosed = !hasTools && (mode === 'agent' || mode === 'chat')
  const told = await asked
  const window = told && { ...told, tokens: Math.floor(told.tokens * parts.windowShare) }
  const wishes = await vaultWishes(parts, setup, window?.tokens)
  return {
    model,
    modelName: name,
    profile,
    tools: isClosed ? { ...setup, offered: new Set() } : setup,
    commands: setup,
    toolset: !hasTools ? [] : isTight(window) ? few : offered,
    window,
    files: fileSource(parts, setup),
    isNearby,
    guidance: toolset.guidance,
    instructions: {
      person: [await personsOwn(parts), instructions, parts.opened?.wishes.instructions.person]
        .filter(Boolean)
        .join('\n\n'),
      vault: wishes,
      skills: hasTools ? skillList(setup, window?.tokens) : undefined,
      memory: await rememberedText(parts, setup, window?.tokens),
    },
    mark: parts.mark,
    maxSteps: steps,
    maxMs: minutes * 60_000,
    onTooLong() {
      parts.windowShare *= lessWhenRefused
    },
    settings: { ...options.replies, stream, temperature, thinking },
    ...(options.clientTools && { clientTools: options.clientTools }),
    approvals: (listener) => vault.desk.listen(id, listener),
    signal,
  }
}

/** The person knows better than the name of a model whether it looks at pictures. */
function seeing(profile: Profile, pictures: boolean | undefined): Profile {
  if (pictures === undefined) return profile
  return { ...profile, files: pictures ? { image: mostBytes.image, ...profile.files } : {} }
}

/** A model that sees nothing has no use for a tool that shows. */
const seesFiles = ({ files }: Pick<Profile, 'files'>): boolean => Object.keys(files).length > 0

/** As the turn itself does, so that the next one need not be refused too. */
const lessWhenRefused = 0.6

/** The person's own `AGENTS.md`, beside their settings. */
async function personsOwn(parts: SessionParts): Promise<string | undefined> {
  try {
    return await parts.host.guides?.instructions()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    tellOnce(parts, `Your own AGENTS.md is not followed: ${error.message}.`)
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

/** What the vault asks for: its instructions, then those of the project. */
async function vaultWishes(parts: SessionParts, setup: ToolSetup, window?: number): Promise<VaultWish[]> {
  const own = await vaultInstructions(setup, (text) => tellOnce(parts, text), window)
  const { project, wishes } = parts.opened ?? {}
  const text = wishes?.instructions.vault
  if (project?.note === undefined || text === undefined) return own
  setup.guard.observe(['own-note'], [project.note])
  return [...own, { label: `project ${project.name}`, text }]
}

/** What the person looks at, as the model may see it. */
async function contextOf(
  parts: SessionParts,
  { text, note, selection, attached = [] }: Request,
  { tools, window, instructions }: AgentSetup,
): Promise<Turn['context']> {
  const { guard, context } = tools
  // Nobody knows where a text comes from that was handed in.
  if (attached.length > 0) guard.observe(['clipped'])
  if (note !== undefined || selection !== undefined) guard.observe(['own-note'])
  const { index } = guard.screen(context)
  const currentNote = note === undefined ? undefined : (await index.find(note)).path
  const named = await Promise.all(readAtCommands(text).notes.map((name) => index.find(name).catch(() => undefined)))
  const atHand = [currentNote, ...named.map((found) => found?.path)].flatMap((path) => path ?? [])
  const used = new TextEncoder().encode(instructions?.vault?.map((wish) => wish.text).join('') ?? '').length
  const onTrouble = (trouble: string) => tellOnce(parts, trouble)
  const wishes = await nearInstructions(atHand, parts.given, tools, onTrouble, { window: window?.tokens, used })
  return {
    ...(currentNote && { currentNote }),
    ...(selection && { selection }),
    ...(wishes.length > 0 && { wishes }),
    attached: [...attached],
  }
}
