import type { Mode } from '../agent/index.js'
import {
  filterVisible,
  parseRules,
  type Rule,
  ruleVocabulary,
  type SessionGuard,
  scopeRules,
} from '../approval/index.js'
import { type Config, type ModelSettings, settingsOfModel } from '../config/index.js'
import { Failure } from '../errors.js'
import { type AttachedFile, base64, hasPictureOrPdfName } from '../files.js'
import type { ModelMessage } from '../model/index.js'
import {
  applyProject,
  findProject,
  listProjects,
  type Project,
  type ProjectSettings,
  type SettingsWithoutProject,
  scopeRule,
} from '../projects.js'
import type { OpenedModel, OutgoingRequest } from '../providers/index.js'
import { readSkills } from '../skills.js'
import {
  checkToolNames,
  type Registry,
  type ToolSetup,
  type Toolset,
  toolset,
  type WebSearchSettings,
} from '../tools/index.js'
import { type NoteFile, type NotePath, notePath, type Vault } from '../vault/index.js'
import type { OpenedVault, VaultHost } from './opened-vault.js'
import type { WaitingTurn } from './resume-session.js'
import type { Session, SessionOptions } from './session.js'
import type { SessionRecord } from './session-record.js'

/** The state that all functions of a session share, kept from turn to turn. */
export interface SessionInternals {
  readonly id: string
  readonly vault: OpenedVault
  readonly host: VaultHost
  readonly options: SessionOptions
  readonly guard: SessionGuard
  /** As of the last lookup. */
  rules: readonly Rule[]
  /** Its name; its rule and settings are looked up with the rules. */
  project?: string | undefined
  openedProject?: OpenedProject | undefined
  /** The user's settings where no project overrides them. */
  readonly userSettings: Omit<SettingsWithoutProject, 'tools'>
  /** The session was resumed, with the settings it had then. */
  readonly isResumed: boolean
  mode: Mode
  modelName: string
  model?: Promise<OpenedModel> | undefined
  /** All that decided how it was opened; absent for a model that was handed over. */
  openedFrom?: string
  /** The messages of each turn. For summarized turns, the last holds the summary. */
  turns: ModelMessage[][]
  /** The current turn, or the last one. */
  turn?: string
  /** The provider's count of tokens by ours, as far as it was seen. */
  tokenRatio: number
  /** The usable share of the context window; reduced after a request was refused as too long. */
  windowShare: number
  /** Generates a title while the session is idle. */
  titling?: { stop(): void } | undefined
  /** A turn of an earlier process that broke off while a user was being asked. */
  waiting?: WaitingTurn | undefined
  /** Absent if the session is not stored. */
  record?: SessionRecord
  /** Encloses the vault's instructions in every prompt of the session. */
  readonly mark: string
  /** The memory text, the same in every prompt of this conversation. */
  remembered?: readonly string[] | undefined
  /** Pictures and PDFs that were handed over, by their hash: those of this process, and those sent again. */
  readonly files: Map<string, AttachedFile>
  /** Instructions of nested folders that are already in this conversation. */
  readonly givenInstructions: Set<string>
  /** Problems already shown to the user. */
  readonly reported: Set<string>
  /** The turn that is going on. */
  running?: Promise<void> | undefined
  readonly closing: AbortController
}

/** Refreshes tools and rules: changes in the settings apply from now on. */
export async function lookUpTools(
  internals: SessionInternals,
  signal: AbortSignal,
): Promise<{ setup: ToolSetup; toolset: Toolset }> {
  const { id, vault, host, options, guard } = internals
  const { settings, registry, notebook } = vault
  const { allow, deny, onTrouble = () => {} } = options
  for (const trouble of (await host.ownTools?.(registry)) ?? []) reportOnce(internals, trouble)
  checkToolNames(settings.tools, registry)
  const places = [
    { from: 'command line', allow, deny },
    { from: 'config', ...settings.permissions },
    await host.vaultRules(onTrouble),
  ]
  const rules = [...parseRules(places, ruleVocabulary(registry)), ...scopeRules(options.scope ?? {})]
  const usual = narrowed(toolset(settings.tools, registry), options.tools, registry)
  internals.openedProject = await openProject(internals, rules, usual)
  internals.rules = internals.openedProject ? [...rules, internals.openedProject.rule] : rules
  const projectSettings = internals.openedProject?.settings
  const own = projectSettings?.tools ? toolset({ ...settings.tools, enabled: projectSettings.tools }, registry) : usual
  const skills = await readSkills(host.guides?.folders ?? [], (text) => reportOnce(internals, text))
  const tools = projectSettings ? { ...own, guidance: { ...own.guidance, ...projectSettings.guidance } } : own
  const offered = skills.length > 0 ? tools : withoutTool('use_skill', tools)
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
      changes: { history: () => notebook.vault.history(), planUndo: (target) => notebook.vault.planUndo(target) },
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
export const withoutTool = (name: string, tools: Toolset): Toolset => only((each) => each !== name, tools)

function only(isMeant: (name: string) => boolean, tools: Toolset): Toolset {
  return {
    ...tools,
    tools: tools.tools.filter(({ name }) => isMeant(name)),
    few: tools.few.filter(({ name }) => isMeant(name)),
    names: new Set([...tools.names].filter(isMeant)),
  }
}

/** A named tool that is switched off stays off. */
function narrowed(tools: Toolset, wanted: SessionOptions['tools'], registry: Registry): Toolset {
  if (wanted === undefined || typeof wanted === 'boolean') return tools
  const { names } = toolset({ enabled: [...wanted] }, registry)
  return only((name) => names.has(name), tools)
}

/** The session's model, opened when it is first needed, and again when it is reached or used otherwise. */
export function getModel(internals: SessionInternals): Promise<OpenedModel> {
  const sources = sourcesOf(internals, internals.modelName)
  if (internals.openedFrom !== undefined && internals.openedFrom !== sources) internals.model = undefined
  if (internals.model !== undefined) return internals.model
  internals.openedFrom = sources
  // A model that could not be opened is tried again: a key may have been set in the meantime.
  internals.model = openNamed(internals, internals.modelName).catch((error) => {
    internals.model = undefined
    throw error
  })
  return internals.model
}

/** Switches to another model. Keeps the current one if there is none of that name. */
export async function changeModel(internals: SessionInternals, name: string): Promise<OpenedModel> {
  const sources = sourcesOf(internals, name)
  const opened = await openNamed(internals, name)
  Object.assign(internals, { model: Promise.resolve(opened), openedFrom: sources, modelName: opened.name })
  return opened
}

/** Its key was refused: by the next turn there may be another one. */
export function reopenModel(internals: SessionInternals): void {
  if (internals.openedFrom !== undefined) internals.model = undefined
}

function openNamed(internals: SessionInternals, name: string): Promise<OpenedModel> {
  const { dialect, window, stallSeconds } = openingOf(internals, name)
  const onRequest = (request: OutgoingRequest) => logRequest(internals, request)
  return internals.host.openModel(name, dialect, { window, stallMs: stallSeconds * 1000, onRequest })
}

function openingOf(internals: SessionInternals, name: string) {
  const { window, stallSeconds } = modelSettings(internals, name)
  return { dialect: internals.options.dialect ?? internals.vault.settings.dialect, window, stallSeconds }
}

/** All that decides how a model is opened, as a text to compare. */
const sourcesOf = (internals: SessionInternals, name: string): string =>
  JSON.stringify([openingOf(internals, name), internals.host.modelSources?.()])

/** Settings of a model: of this session, then of the model, then the defaults. */
export function modelSettings({ options, vault }: SessionInternals, name: string): ModelSettings {
  const defaults = settingsOfModel(name, vault.settings)
  return {
    window: options.window ?? defaults.window,
    pictures: defaults.pictures,
    stallSeconds: options.stallSeconds ?? defaults.stallSeconds,
    minutes: options.minutes ?? defaults.minutes,
    steps: options.maxSteps ?? defaults.steps,
    stream: options.stream ?? defaults.stream,
    temperature: options.temperature ?? defaults.temperature,
    thinking: options.thinking ?? defaults.thinking,
    instructions: options.instructions ?? defaults.instructions,
  }
}

/** Reports each text once per session. */
export function reportOnce({ reported, options }: Pick<SessionInternals, 'reported' | 'options'>, text: string): void {
  if (reported.has(text)) return
  reported.add(text)
  options.onTrouble?.(text)
}

/** The search engine of the settings, if its address is known. */
export function webSearchSettings({
  searchEngine,
  searchUrl,
  searchKey,
}: Config['web']): WebSearchSettings | undefined {
  if (searchEngine === undefined) return undefined
  const url = searchUrl ?? (searchEngine === 'brave' ? 'https://api.search.brave.com/res/v1/web/search' : undefined)
  return url === undefined ? undefined : { engine: searchEngine, url, ...(searchKey && { key: searchKey }) }
}

/** Writes down that a request to a model is about to leave, and whose text is in it. */
async function logRequest(
  { id, turn, guard, vault, host, files }: SessionInternals,
  { body, ...request }: OutgoingRequest,
): Promise<void> {
  // Vault instructions are part of every prompt, although no tool read them.
  const candidates = new Set([...guard.memory().read, notePath('AGENTS.md')])
  const notes = await notesSent(body, candidates, vault.notebook.vault)
  const given = [...files.values()].flatMap(({ name, bytes }) => (body.includes(base64(bytes)) ? [name] : []))
  await host.log.sending({
    time: host.clock.now().toISOString(),
    session: id,
    ...(turn && { turn }),
    ...request,
    notes,
    ...(given.length > 0 && { files: given }),
  })
}

/** Shorter lines occur in too many notes to identify one. */
const leastLine = 16

/**
 * Notes of the conversation whose text is in the body of a request. A deleted note is listed by name, since its text
 * cannot be compared.
 */
export async function notesSent(
  body: string,
  candidates: Iterable<NotePath>,
  vault: Pick<Vault, 'read'>,
): Promise<NotePath[]> {
  const sent: NotePath[] = []
  for (const path of candidates) {
    if (!body.includes(inJson(path)) && !body.includes(inJson(path.replace(/\.md$/i, '')))) continue
    // A note that cannot be read counts as sent.
    const note = await vault.read(path).catch(() => undefined)
    if (note === undefined || isIn(body, note)) sent.push(path)
  }
  return sent
}

/** A picture or a PDF is sent as it is, everything else as text. */
const isIn = (body: string, { path, text, bytes }: NoteFile): boolean =>
  hasPictureOrPdfName(path) ? body.includes(base64(bytes)) : hasTextOf(body, text)

function hasTextOf(body: string, text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim())
  const telling = lines.filter(({ length }) => length >= leastLine)
  const wanted = telling.length > 0 ? telling : lines.filter((line) => line !== '')
  return wanted.some((line) => body.includes(inJson(line)))
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The project a session is in, as it was looked up last. */
export interface OpenedProject {
  project: Project
  /** Denies everything outside the project. */
  rule: Rule
  settings: ProjectSettings
}

/** Looks a session's project up: its note may have changed since the turn before. */
export async function openProject(
  { vault, project, userSettings }: Pick<SessionInternals, 'vault' | 'project' | 'userSettings'>,
  rules: readonly Rule[],
  tools: Toolset,
): Promise<OpenedProject | undefined> {
  if (project === undefined) return undefined
  const { settings, notebook } = vault
  const seen = filterVisible({ vault: notebook.vault, index: notebook.index }, rules)
  const found = await findProject(project, { ...seen, settings })
  const rule = await scopeRule(found, seen.index)
  return { project: found, rule, settings: applyProject(found, { ...userSettings, tools: tools.names }) }
}

/** Applies the project's settings, except where the user has chosen otherwise for this session. */
export async function followProject(internals: SessionInternals, isChanged = false): Promise<void> {
  const { openedProject: opened, options, guard, userSettings, isResumed } = internals
  if (opened !== undefined) await mustMatch(internals, opened, internals.rules)
  const { model, mode, consent, notices = [] } = opened?.settings ?? {}
  const isNote = opened?.project.note !== undefined
  for (const text of notices) reportOnce(internals, text)
  const projectModel = options.model === undefined && !isResumed ? model : undefined
  if (projectModel !== undefined || isChanged) {
    const name = projectModel ?? userSettings.model
    if (name !== internals.modelName) {
      if (isChanged) await changeModel(internals, name)
      else internals.modelName = name
    }
  }
  // A project note always restricts; settings apply only where the user has not chosen.
  const mayMode = isNote || (options.mode === undefined && !isResumed)
  internals.mode = (mayMode ? mode : undefined) ?? (isChanged ? userSettings.mode : internals.mode)
  const mayConsent = isNote || (options.consent === undefined && !isResumed)
  guard.level = (mayConsent ? consent : undefined) ?? (isChanged ? userSettings.consent : guard.level)
}

/** A project that is entered has something in it. */
async function mustMatch(
  { vault }: Pick<SessionInternals, 'vault'>,
  { project }: OpenedProject,
  rules: readonly Rule[],
): Promise<void> {
  const { index } = filterVisible({ vault: vault.notebook.vault, index: vault.notebook.index }, rules)
  // A note with a property `tags` carries them itself.
  if ((await index.notes()).some(({ path }) => path !== project.note)) return
  throw new Failure('not-found', `No note belongs to the project ${project.name}.`, {
    hint: `Check the folders, tags and notes in ${project.note ?? `projects.${project.name} of your settings`}.`,
    command: `notewright projects show "${project.name}"`,
  })
}

/** A project in a list. */
export interface ProjectRow {
  name: string
  /** The note that makes it, or `settings`. */
  from: string
  notes: number
  /** Reason it cannot be opened. */
  wrong?: string
}

export async function projectRows(vault: OpenedVault, session: Session): Promise<ProjectRow[]> {
  const projects = await listProjects(projectPlaces(vault, session))
  return Promise.all(
    projects.map(async (project) => {
      const { notes, wrong } = await projectNotes(project, vault, session)
      return { name: project.name, from: project.note ?? 'settings', notes: notes.length, ...(wrong && { wrong }) }
    }),
  )
}

/** The notes in which projects are looked up: those that the user's rules allow reading. */
export function projectPlaces({ notebook, settings }: OpenedVault, { guard }: Session) {
  const own = guard.rules().filter(({ from }) => from !== 'project')
  return { ...filterVisible({ vault: notebook.vault, index: notebook.index }, own), settings }
}

/** The notes of a project by path, or why it cannot be opened. */
export async function projectNotes(
  project: Project,
  vault: OpenedVault,
  session: Session,
): Promise<{ notes: string[]; wrong?: string }> {
  const places = projectPlaces(vault, session)
  try {
    const rule = await scopeRule(project, places.index)
    const { index } = filterVisible(places, [...session.guard.rules(), rule])
    return { notes: (await index.notes()).map(({ path }) => path) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { notes: [], wrong: error.message }
  }
}
