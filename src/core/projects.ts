import type { Mode } from './agent/index.js'
import { type ConsentLevel, parseSelector, type Rule, type Selector } from './approval/index.js'
import { type Config, type ProjectSetting, projectSetting, projectSettingTexts } from './config/index.js'
import { Failure } from './errors.js'
import type { NoteIndex, StoredNote } from './index/index.js'
import { findFrontmatter, parseNote } from './markdown/index.js'
import { nearestName, scalarText } from './text/index.js'
import type { GuidanceSetting, ReadableVault } from './tools/index.js'
import { foldPath, type NotePath } from './vault/index.js'

/** A part of the vault with its own instructions, and the settings of sessions on it. */
export interface Project {
  name: string
  /** The note that defines it; undefined if the user's settings do. A note can only restrict. */
  note?: NotePath
  says: ProjectSetting
  /** Settings of the note that are invalid. A project with a fault in its scope is not opened. */
  faults: { setting: keyof ProjectSetting; text: string }[]
}

/** The places with projects, filtered by the user's rules. */
interface ProjectSources {
  index: Pick<NoteIndex, 'notes'>
  vault: Pick<ReadableVault, 'read'>
  settings: Pick<Config, 'projects'>
}

/** Every project of the vault and of the settings, sorted by name. */
export async function listProjects({ index, vault, settings }: ProjectSources): Promise<Project[]> {
  const own = Object.entries(settings.projects).map(([name, says]): Project => ({ name, says, faults: [] }))
  const notes = await index.notes({ properties: { notewright: 'project' } })
  const found = await Promise.all(notes.map((note) => readProject(note, vault)))
  return [...own, ...found.flatMap((project) => project ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Finds a project by its name, ignoring case. Fails if there are two. */
export async function findProject(wanted: string, places: ProjectSources): Promise<Project> {
  const projects = await listProjects(places)
  const same = projects.filter(({ name }) => foldName(name) === foldName(wanted))
  const [only] = same
  if (only !== undefined && same.length === 1) return only
  if (same.length > 1) {
    const where = same.map(({ note }) => note ?? 'the settings').join(' and ')
    throw new Failure('ambiguous', `${same.length} projects have the name ${wanted}: in ${where}.`, {
      hint: 'Rename one of them.',
    })
  }
  const near = nearestName(
    wanted,
    projects.map(({ name }) => name),
  )
  throw new Failure('not-found', `There is no project ${wanted}.`, {
    hint: near === undefined ? 'List the projects.' : `Did you mean ${near}?`,
    command: 'notewright projects list',
    data: { ...(near && { near }) },
  })
}

const foldName = (name: string): string => name.normalize('NFC').trim().toLowerCase()

/** Reads the note itself: the index may be outdated. */
async function readProject({ path }: StoredNote, vault: ProjectSources['vault']): Promise<Project | undefined> {
  const file = await vault.read(path)
  return file === undefined ? undefined : projectInNote(file.path, file.text)
}

const listSettings = ['folders', 'tags', 'notes', 'exclude', 'tools']

/** Reads a note with `notewright: project`. One word counts as a list of one; a link to a note names it. */
function projectInNote(path: NotePath, text: string): Project | undefined {
  const { properties } = parseNote(path, text)
  if (scalarText(properties?.notewright).trim().toLowerCase() !== 'project') return undefined
  const name = path.replace(/^.*\//, '').replace(/\.md$/i, '')
  const faults: Project['faults'] = []
  const says: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(projectSetting.shape)) {
    const written = properties?.[key]
    // The body of the note is its instructions.
    if (written === undefined || written === null || key === 'instructions') continue
    const value = listSettings.includes(key) ? asList(written) : written
    const setting = key as keyof ProjectSetting
    if (schema.safeParse(value).success) says[key] = value
    else faults.push({ setting, text: `${key} must be ${projectSettingTexts[setting].expects}` })
  }
  const fence = findFrontmatter(text)
  const body = text.slice(fence?.end ?? 0).trim()
  return { name, note: path, says: { ...says, ...(body !== '' && { instructions: body }) }, faults }
}

function asList(value: unknown): unknown[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((item) => (typeof item === 'number' ? `${item}` : item))
}

/** The settings of a session without the project. */
export interface SettingsWithoutProject {
  model: string
  mode: Mode
  consent: ConsentLevel
  /** Names of the tools that are on. */
  tools: ReadonlySet<string>
}

/** The settings that a project may change, as far as it is allowed to. */
export interface ProjectSettings {
  model?: string
  mode?: Mode
  consent?: ConsentLevel
  /** For a project in a note, a subset of the enabled tools; for one in the settings, exactly these. */
  tools?: readonly string[]
  /** Only for a project in the settings: guidance for single tools. */
  guidance: Record<string, GuidanceSetting>
  /** `person` has the trust of the user's own words, `vault` a low trust. */
  instructions: { person?: string | undefined; vault?: string | undefined }
  /** Sentences for the user about settings that were ignored. */
  notices: string[]
}

/** Applies a project to the user's settings. A project in the settings may change anything, a note may only restrict. */
export function applyProject({ name, note, says }: Project, way: SettingsWithoutProject): ProjectSettings {
  const { model, mode, consent, tools, guidance = {}, instructions } = says
  if (note === undefined) {
    const asGuidance = Object.entries(guidance).map(([tool, text]) => [tool, { addGuidance: text }] as const)
    return {
      ...(model && { model }),
      ...(mode && { mode }),
      ...(consent && { consent }),
      ...(tools && { tools }),
      guidance: Object.fromEntries(asGuidance),
      instructions: { person: instructions },
      notices: [],
    }
  }
  const notices: string[] = []
  const ignore = (what: string) =>
    void notices.push(
      `The project ${name} asks for ${what}. This was ignored, because a project note can only restrict settings.`,
    )
  const isNarrower = <T>(order: readonly T[], wanted: T, own: T) => order.indexOf(wanted) <= order.indexOf(own)
  if (model !== undefined && model !== way.model) ignore(`the model ${model}`)
  const mayMode = mode !== undefined && isNarrower(fewerToolsFirst, mode, way.mode)
  if (mode !== undefined && !mayMode) ignore(`the mode ${mode}`)
  const mayConsent = consent !== undefined && isNarrower(narrowestFirst, consent, way.consent)
  if (consent !== undefined && !mayConsent) ignore(`the approval level ${consent}`)
  const more = tools?.filter((tool) => !way.tools.has(tool)) ?? []
  if (more.length > 0) ignore(`${more.length === 1 ? 'the tool' : 'the tools'} ${more.join(', ')}`)
  const words = [instructions, ...Object.entries(guidance).map(([tool, text]) => `About ${tool}: ${text}`)]
  return {
    ...(mayMode && { mode }),
    ...(mayConsent && { consent }),
    ...(tools && { tools: tools.filter((tool) => way.tools.has(tool)) }),
    guidance: {},
    instructions: { vault: words.filter(Boolean).join('\n\n') || undefined },
    notices,
  }
}

const narrowestFirst: readonly ConsentLevel[] = ['read-only', 'locked', 'ask-all', 'ask', 'edit', 'auto']
const fewerToolsFirst: readonly Mode[] = ['chat', 'vault-qa', 'plan', 'agent']

/**
 * A project's scope as a rule that denies everything else, so that it is enforced like any other rule. The scope is what
 * one of its folders, tags, notes or properties selects and none of its exclusions does.
 */
export async function scopeRule(project: Project, index: Pick<NoteIndex, 'find'>): Promise<Rule> {
  const { name, says, faults } = project
  const fault = faults.find(({ setting }) => scopeSettings.has(setting))
  if (fault !== undefined) throw cannotOpen(project, fault.text)
  const { folders = [], tags = [], notes = [], properties = {}, exclude = [] } = says
  const inside = [
    ...folders.map((folder) => readSelector(project, `folder:${folder.replace(/^\/+|\/+$/g, '')}`)),
    ...tags.map((tag) => readSelector(project, `tag:${tag}`)),
    ...Object.entries(properties).flatMap(([property, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => readSelector(project, `prop:${property}=${each}`)),
    ),
    ...(await namedNotes(notes, index)),
  ]
  if (inside.length === 0) throw cannotOpen(project, 'it names no folders, tags, notes or properties')
  const selector: Selector = {
    kind: 'outside',
    project: name,
    inside,
    exclude: exclude.map((text) => readExclusion(project, text)),
  }
  return { effect: 'deny', subject: { kind: 'any' }, selector, text: `outside the project ${name}`, from: 'project' }
}

const scopeSettings = new Set<keyof ProjectSetting>(['folders', 'tags', 'notes', 'properties', 'exclude'])

/** A note that is missing or hidden is not in the project; `projects check` reports it. */
async function namedNotes(names: readonly string[], index: Pick<NoteIndex, 'find'>): Promise<Selector[]> {
  const paths: NotePath[] = []
  for (const name of names) {
    try {
      paths.push((await index.find(withoutBrackets(name))).path)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }
  return names.length === 0 ? [] : [{ kind: 'notes', paths }]
}

/** The note name of `[[Soil|the soil]]`, as properties contain it. */
const withoutBrackets = (name: string): string => /^\[\[([^\]|#]+)[^\]]*\]\]$/.exec(name.trim())?.[1] ?? name

/** Reads `#tag`, a folder, a note, or a pattern as in rules; a folder includes everything below it. */
function readExclusion(project: Project, text: string): Selector {
  const plain = withoutBrackets(text.trim())
  if (plain.startsWith('#')) return readSelector(project, `tag:${plain}`)
  if (/^(?:tag|prop|folder|path):/.test(plain) || /[*?]/.test(plain) || /\.\w+$/.test(plain))
    return readSelector(project, plain)
  return readSelector(project, `folder:${plain.replace(/^\/+|\/+$/g, '')}`)
}

function readSelector(project: Project, text: string): Selector {
  try {
    return parseSelector(text)
  } catch (error) {
    if (error instanceof Failure) throw cannotOpen(project, `${text.replace(/^[a-z]+:/, '')}: ${error.message}`)
    throw error
  }
}

function cannotOpen({ name, note }: Project, reason: string): Failure {
  return new Failure('invalid-input', `The project ${name} cannot be opened: ${reason}.`, {
    hint: note === undefined ? `Correct projects.${name} in your settings.` : `Correct the properties of ${note}.`,
  })
}

export interface ProjectFinding {
  /** `wrong`: the project cannot be opened, or a setting matches nothing. `ignored`: a note asks for more than it may. */
  kind: 'wrong' | 'ignored'
  text: string
}

interface ProjectCheckContext {
  index: Pick<NoteIndex, 'find' | 'files' | 'tags'>
  way: SettingsWithoutProject
  /** The names of all tools. */
  toolNames: readonly string[]
}

/** Lists everything that is wrong with a project, including names that match nothing. */
export async function checkProject(
  project: Project,
  { index, way, toolNames }: ProjectCheckContext,
): Promise<ProjectFinding[]> {
  const { folders = [], tags = [], notes = [], tools = [], guidance = {} } = project.says
  const wrong = project.faults.map(({ text }) => text)
  const known = foldersOf(await index.files())
  for (const folder of folders) {
    const plain = folder.replace(/^\/+|\/+$/g, '')
    if (!known.some((each) => foldPath(each) === foldPath(plain)))
      wrong.push(`there is no folder ${folder}${didYouMean(plain, known)}`)
  }
  const carried = (await index.tags()).map(({ tag }) => tag.toLowerCase())
  for (const tag of tags) {
    const plain = tag.replace(/^#/, '').toLowerCase()
    if (!carried.some((each) => each === plain || each.startsWith(`${plain}/`))) {
      wrong.push(`no note has the tag ${tag}${didYouMean(plain, carried)}`)
    }
  }
  for (const note of notes) wrong.push(...(await noteFault(note, index)))
  for (const tool of [...tools, ...Object.keys(guidance)]) {
    if (!toolNames.includes(tool)) wrong.push(`there is no tool ${tool}${didYouMean(tool, toolNames)}`)
  }
  return [
    ...wrong.map((text): ProjectFinding => ({ kind: 'wrong', text })),
    ...applyProject(project, way).notices.map((text): ProjectFinding => ({ kind: 'ignored', text })),
  ]
}

async function noteFault(note: string, index: Pick<NoteIndex, 'find'>): Promise<string[]> {
  try {
    await index.find(withoutBrackets(note))
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [[error.message, error.details.hint].filter(Boolean).join(' ')]
  }
}

function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of files) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))
  }
  return [...folders]
}

function didYouMean(wanted: string, names: readonly string[]): string {
  const name = nearestName(wanted, names)
  return name === undefined ? '' : `; did you mean ${name}?`
}
