import {
  type AgentEvent,
  type AgentSetup,
  answeredTurns,
  conversationOf,
  isTight,
  run,
  type Turn,
} from '../agent/index.js'
import { readAtCommands } from '../at-commands/index.js'
import { Failure } from '../errors.js'
import type { LinkedAbort } from '../model/index.js'
import { unsettledSentence } from '../notebook/index.js'
import { estimateTokens } from '../text/index.js'
import type { ToolSetup } from '../tools/index.js'
import { chosenPrompt } from './chosen-prompt.js'
import { joinedDeltas } from './record/joined-deltas.js'
import { rememberedText } from './remembered-text.js'
import type { Request } from './session.js'
import { lookUpTools, modelSettings, openedModel, type SessionParts, tellOnce } from './session-parts.js'
import { nearInstructions, type VaultWish, vaultInstructions } from './vault-instructions.js'

/** One turn of a session. What it says is kept as it comes, so that leaving it loses nothing. */
export async function* askSession(
  parts: SessionParts,
  request: Request,
  stop: LinkedAbort,
): AsyncGenerator<AgentEvent> {
  if (parts.running !== undefined) {
    throw new Failure('conflict', 'This session is still answering.', { hint: 'Stop it first, or wait.' })
  }
  const kept: AgentEvent[] = []
  let end = () => {}
  parts.running = new Promise((resolve) => {
    end = resolve
  })
  try {
    const { mode } = parts
    const setup = await agentSetup(parts, stop.signal)
    const { text: typed, answers, ...about } = request
    if (answers !== undefined) parts.guard.observe(['clipped'])
    const { text, prompt } = await chosenPrompt(parts, typed)
    parts.guard.hear(text)
    const context = await contextOf(parts, { ...about, text }, setup)
    const turn: Turn = {
      id: crypto.randomUUID(),
      text,
      ...(answers && { answers }),
      mode,
      context: { ...context, ...(prompt && { prompt }) },
      history: answeredTurns(parts.messages),
    }
    for await (const event of joinedDeltas(withNotices(run(turn, setup), parts))) {
      await parts.record?.keep(event)
      if (event.type === 'messages' || event.type === 'tool-result') kept.push(event)
      yield event
    }
  } finally {
    parts.messages = answeredTurns([...parts.messages, ...conversationOf(kept)])
    parts.running = undefined
    stop.release()
    end()
  }
}

async function* withNotices(events: AsyncGenerator<AgentEvent>, parts: SessionParts): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    yield event
    if (event.type === 'run-start') yield* unsettledNotices(parts)
  }
}

/** For the person alone: the model is told nothing of it. */
async function* unsettledNotices({ vault }: SessionParts): AsyncGenerator<AgentEvent> {
  // A journal that cannot be read says so where it is needed.
  const waiting = await vault.notebook.unsettled().catch(() => [])
  for (const entry of waiting) yield { type: 'notice', text: unsettledSentence(entry) }
}

async function agentSetup(parts: SessionParts, signal: AbortSignal): Promise<AgentSetup> {
  const { options, vault, mode, id } = parts
  const opened = await openedModel(parts)
  const { model, name, profile, isNearby } = opened
  const asked = opened.window?.()
  const { setup, toolset } = await lookUpTools(parts, signal)
  // A note may have been written, or made private, since the turn before. What fails here fails again, and aloud, in the
  // tool that needs it.
  await vault.notebook.refresh({ signal }).catch(() => undefined)
  const hasTools = options.tools !== false && vault.settings.tools.calling
  // Without tools a call is a call to an unknown one; what a mode looks up by itself stays possible.
  const isClosed = !hasTools && (mode === 'agent' || mode === 'chat')
  const window = await asked
  const wishes = await vaultWishes(parts, setup, window?.tokens)
  const { minutes, steps, stream, temperature, thinking, instructions } = modelSettings(parts, name)
  return {
    model,
    modelName: name,
    profile,
    tools: isClosed ? { ...setup, offered: new Set() } : setup,
    commands: setup,
    toolset: !hasTools ? [] : isTight(window) ? toolset.few : toolset.tools,
    window,
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
    settings: { ...options.replies, stream, temperature, thinking },
    ...(options.clientTools && { clientTools: options.clientTools }),
    approvals: (listener) => vault.desk.listen(id, listener),
    signal,
  }
}

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
