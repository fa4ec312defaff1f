import type { Mode } from '../agent/index.js'
import { parseRules, type Rule, ruleVocabulary, type SessionGuard, scopeRules } from '../approval/index.js'
import { type ModelSettings, settingsFor } from '../config/index.js'
import type { GivenFile } from '../files/index.js'
import { readSkills } from '../guides/index.js'
import type { ModelMessage } from '../model/index.js'
import type { PersonsWay } from '../projects/index.js'
import type { OpenedModel, OutgoingRequest } from '../providers/index.js'
import { checkToolNames, type Registry, type ToolSetup, type Toolset, toolset } from '../tools/index.js'
import { logRequest } from './egress/log-request.js'
import { type OpenedProject, openProject } from './open-project.js'
import type { OpenedVault } from './opened-vault.js'
import type { WaitingTurn } from './record/resume-session.js'
import type { SessionRecord } from './record/session-record.js'
import type { SessionOptions } from './session.js'
import type { VaultHost } from './vault-host.js'
import { webSearchSettings } from './web-search-settings.js'

/** What the parts of a session work on, and what it remembers from turn to turn. */
export interface SessionParts {
  readonly id: string
  readonly vault: OpenedVault
  readonly host: VaultHost
  readonly options: SessionOptions
  readonly guard: SessionGuard
  /** As they were looked up last. */
  rules: readonly Rule[]
  /** Its name; what it comes to is looked up with the rules. */
  project?: string
  opened?: OpenedProject
  /** How the person works where no project says otherwise. */
  readonly way: Omit<PersonsWay, 'tools'>
  /** It goes on where it was left, with what was chosen then. */
  readonly isResumed: boolean
  mode: Mode
  modelName: string
  model?: Promise<OpenedModel>
  /** All that decided how it was opened; absent for a model that was handed over. */
  openedFrom?: string
  /** What each turn has brought to the conversation; of those that were summed up the last holds the summary. */
  turns: ModelMessage[][]
  /** The turn that goes on, or was the last. */
  turn?: string
  /** The provider's count of tokens by ours, as far as it was seen. */
  tokenRatio: number
  /** What part of the model's window can be used: less, once a request was refused as too long. */
  windowShare: number
  /** Gives the session a title while nobody asks anything. */
  titling?: { stop(): void }
  /** A turn of an earlier process that broke off while a person was being asked. */
  waiting?: WaitingTurn
  /** Absent: nothing of it is kept. */
  record?: SessionRecord
  /** Encloses the vault's wishes in every prompt of the session. */
  readonly mark: string
  /** What is remembered, as every prompt of this conversation has it. */
  remembered?: readonly string[]
  /** Pictures and PDFs that were handed over, by their hash: those of this process, and those sent again. */
  readonly files: Map<string, GivenFile>
  /** Wishes of nearer folders that stand in this conversation. */
  readonly given: Set<string>
  /** Troubles that the person has heard of. */
  readonly told: Set<string>
  /** The turn that is going on. */
  running?: Promise<void>
  readonly closing: AbortController
}

/** The tools and rules as they are now: what came, went or was changed in the settings counts from here on. */
export async function lookUpTools(
  parts: SessionParts,
  signal: AbortSignal,
): Promise<{ setup: ToolSetup; toolset: Toolset }> {
  const { id, vault, host, options, guard } = parts
  const { settings, registry, notebook } = vault
  const { allow, deny, onTrouble = () => {} } = options
  for (const trouble of (await host.ownTools?.(registry)) ?? []) tellOnce(parts, trouble)
  checkToolNames(settings.tools, registry)
  const places = [
    { from: 'command line', allow, deny },
    { from: 'config', ...settings.permissions },
    await host.vaultRules(onTrouble),
  ]
  const rules = [...parseRules(places, ruleVocabulary(registry)), ...scopeRules(options.scope ?? {})]
  const usual = narrowed(toolset(settings.tools, registry), options.tools, registry)
  parts.opened = await openProject(parts, rules, usual)
  parts.rules = parts.opened ? [...rules, parts.opened.rule] : rules
  const wishes = parts.opened?.wishes
  const own = wishes?.tools ? toolset({ ...settings.tools, enabled: wishes.tools }, registry) : usual
  const skills = await readSkills(host.guides?.folders ?? [], (text) => tellOnce(parts, text))
  const tools = wishes ? { ...own, guidance: { ...own.guidance, ...wishes.guidance } } : own
  const offered = skills.length > 0 ? tools : without('use_skill', tools)
  const setup: ToolSetup = {
    registry,
    offered: offered.names,
    guard,
    apply: notebook.apply,
    log: host.log,
    context: {
      vault: notebook.vault,
      index: notebook.index,
      clock: host.clock,
      settings: {
        dailyNotes: host.dailyNotes,
        webSearch: webSearchSettings(settings.web),
        memoryNote: settings.memory.note,
      },
      web: host.web,
      timers: host.timers,
      skills,
      session: id,
      signal,
      report: () => {},
    },
    ...(options.dryRun && { dryRun: true }),
    ...(options.onStep && { onStep: options.onStep }),
  }
  return { setup, toolset: offered }
}

/** A toolset less one tool, which would have nothing to give. */
export const without = (name: string, tools: Toolset): Toolset => only((each) => each !== name, tools)

function only(isMeant: (name: string) => boolean, tools: Toolset): Toolset {
  return {
    ...tools,
    tools: tools.tools.filter(({ name }) => isMeant(name)),
    few: tools.few.filter(({ name }) => isMeant(name)),
    names: new Set([...tools.names].filter(isMeant)),
  }
}

/** What is named and not switched on stays off. */
function narrowed(tools: Toolset, wanted: SessionOptions['tools'], registry: Registry): Toolset {
  if (wanted === undefined || typeof wanted === 'boolean') return tools
  const { names } = toolset({ enabled: [...wanted] }, registry)
  return only((name) => names.has(name), tools)
}

/** The session's model, opened when it is first needed, and again when it is reached or used otherwise. */
export function openedModel(parts: SessionParts): Promise<OpenedModel> {
  const sources = sourcesOf(parts, parts.modelName)
  if (parts.openedFrom !== undefined && parts.openedFrom !== sources) parts.model = undefined
  if (parts.model !== undefined) return parts.model
  parts.openedFrom = sources
  // One that could not be opened is tried again: a key may have been set meanwhile.
  parts.model = openNamed(parts, parts.modelName).catch((error) => {
    parts.model = undefined
    throw error
  })
  return parts.model
}

/** Goes on with another model. Stays with the one it has when there is none of that name. */
export async function changeModel(parts: SessionParts, name: string): Promise<OpenedModel> {
  const sources = sourcesOf(parts, name)
  const opened = await openNamed(parts, name)
  Object.assign(parts, { model: Promise.resolve(opened), openedFrom: sources, modelName: opened.name })
  return opened
}

/** Its key was refused: by the next turn there may be another one. */
export function openAnew(parts: SessionParts): void {
  if (parts.openedFrom !== undefined) parts.model = undefined
}

function openNamed(parts: SessionParts, name: string): Promise<OpenedModel> {
  const { dialect, window, stallSeconds } = openingOf(parts, name)
  const onRequest = (request: OutgoingRequest) => logRequest(parts, request)
  return parts.host.openModel(name, dialect, { window, stallMs: stallSeconds * 1000, onRequest })
}

function openingOf(parts: SessionParts, name: string) {
  const { window, stallSeconds } = modelSettings(parts, name)
  return { dialect: parts.options.dialect ?? parts.vault.settings.dialect, window, stallSeconds }
}

/** All that decides how a model is opened, as a text to compare. */
const sourcesOf = (parts: SessionParts, name: string): string =>
  JSON.stringify([openingOf(parts, name), parts.host.modelSources?.()])

/** How a model is used here: as this session was told, as the settings say of the model, and then of all. */
export function modelSettings({ options, vault }: SessionParts, name: string): ModelSettings {
  const told = settingsFor(name, vault.settings)
  return {
    window: options.window ?? told.window,
    pictures: told.pictures,
    stallSeconds: options.stallSeconds ?? told.stallSeconds,
    minutes: options.minutes ?? told.minutes,
    steps: options.maxSteps ?? told.steps,
    stream: options.stream ?? told.stream,
    temperature: options.temperature ?? told.temperature,
    thinking: options.thinking ?? told.thinking,
    instructions: options.instructions ?? told.instructions,
  }
}

/** What stays the same from turn to turn need not be said in each of them. */
export function tellOnce({ told, options }: Pick<SessionParts, 'told' | 'options'>, text: string): void {
  if (told.has(text)) return
  told.add(text)
  options.onTrouble?.(text)
}
