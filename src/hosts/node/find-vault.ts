import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import { Failure } from '../../core/errors.js'
import { isRecord } from '../../core/is-record.js'
import { isNote, type NotePath } from '../../core/vault/index.js'
import type { LoadedConfig } from './config.js'
import { type HostEnvironment, privateFolder, processEnvironment, stateFolders } from './state-folders.js'

export interface FoundVault {
  /** Real path of the folder. */
  root: string
  /** Source of the vault, for users: `--vault`, `NOTEWRIGHT_VAULT`, `the configuration`, `this folder`, `Obsidian`. */
  from: string
  /** The vault the current folder is in, when another one was chosen all the same. */
  passedOver?: string | undefined
}

interface RequestedVault {
  path: string
  source: 'flag' | 'environment' | 'file'
  /** The environment variable that named it. */
  variable?: string | undefined
}

/** Asks the user whether a folder with notes is a vault; undefined if they gave no answer. */
export type AskAboutFolder = (folder: string) => Promise<boolean | undefined>

/**
 * A vault named by flag, environment or configuration takes precedence. Otherwise: the vault around the current
 * folder, then the current folder if it has notes and the user confirms it, then the vault last opened in Obsidian. A
 * named folder that does not exist is an error.
 */
export async function findVault(
  wish: RequestedVault | undefined,
  surroundings: HostEnvironment = processEnvironment(),
  ask?: AskAboutFolder,
): Promise<FoundVault> {
  if (wish?.source === 'flag') return namedVault(wish, surroundings)
  const around = vaultAround(surroundings)
  if (wish !== undefined) {
    const found = namedVault(wish, surroundings)
    return around === undefined || around === found.root ? found : { ...found, passedOver: around }
  }
  if (around !== undefined) return { root: around, from: 'this folder' }
  const here = unmarkedNotes(surroundings)
  if (here !== undefined && ask !== undefined && (await isConfirmedVault(here, surroundings, ask))) {
    return { root: here, from: 'this folder' }
  }
  for (const path of await obsidianVaults(surroundings)) {
    const root = realFolder(path)
    if (root === undefined || isTooWide(root, surroundings)) continue
    return { root, from: 'Obsidian', ...(isUndecided(here, surroundings) && { passedOver: here }) }
  }
  throw here === undefined ? noVaultFound(surroundings) : unconfirmedVault(here)
}

function namedVault(wish: RequestedVault, surroundings: HostEnvironment): FoundVault {
  const from = wish.source === 'flag' ? '--vault' : (wish.variable ?? 'the configuration')
  const path = resolve(surroundings.currentFolder, withHome(wish.path, surroundings.home))
  const root = realFolder(path)
  if (root === undefined) {
    const exists = existsSync(path)
    const text = exists ? `Vault is not a folder: ${path}` : `Vault folder not found: ${path}`
    throw new Failure(exists ? 'invalid-input' : 'not-found', text, { hint: `It was set by ${from}.` })
  }
  if (wish.source !== 'flag' && isTooWide(root, surroundings)) {
    throw new Failure('invalid-input', `${root} is too large a folder for a vault (set by ${from}).`, {
      hint: `To use it anyway: --vault ${wish.path}`,
    })
  }
  return { root, from }
}

/** The nearest folder, from the current one upward, that is marked or confirmed as a vault. */
function vaultAround(surroundings: HostEnvironment): string | undefined {
  let folder = realFolder(surroundings.currentFolder)
  const known = readFolderAnswers(stateFolders(surroundings).state)
  while (folder !== undefined && !isTooWide(folder, surroundings)) {
    if (isMarked(folder) || known.get(folder)) return folder
    folder = dirname(folder)
  }
  return undefined
}

/** The current folder, if it contains notes but is not set up as a vault. */
function unmarkedNotes(surroundings: HostEnvironment): string | undefined {
  const folder = realFolder(surroundings.currentFolder)
  return folder !== undefined && !isTooWide(folder, surroundings) && containsMarkdown(folder) ? folder : undefined
}

/** No hint for a folder that the user has declared not to be a vault. */
function isUndecided(folder: string | undefined, surroundings: HostEnvironment): boolean {
  return folder !== undefined && !readFolderAnswers(stateFolders(surroundings).state).has(folder)
}

/** Asked once: the answer is remembered either way. */
async function isConfirmedVault(folder: string, surroundings: HostEnvironment, ask: AskAboutFolder): Promise<boolean> {
  const { state } = stateFolders(surroundings)
  const said = readFolderAnswers(state).get(folder)
  if (said !== undefined) return said
  const answer = await ask(folder)
  if (answer !== undefined) await saveFolderAnswer(state, folder, answer)
  return answer === true
}

const isMarked = (folder: string): boolean =>
  ['.obsidian', '.notewrightignore'].some((mark) => existsSync(join(folder, mark)))

/** The root of a disk or a whole home folder: only by an explicit flag. */
function isTooWide(root: string, { home }: HostEnvironment): boolean {
  return root === parse(root).root || root === realFolder(home)
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

function withHome(path: string, home: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path
}

/** The user could not be asked, or declined. */
function unconfirmedVault(folder: string): Failure {
  return new Failure('not-found', `${folder} contains Markdown notes but isn't set up as a vault.`, {
    hint: 'Run with --vault . or save it with: notewright config set vault .',
  })
}

function noVaultFound({ currentFolder }: HostEnvironment): Failure {
  const places = [
    'the --vault option',
    'NOTEWRIGHT_VAULT and OBSIDIAN_VAULT_PATH',
    'your configuration (notewright config get vault)',
    `${currentFolder} and its parent folders (a vault contains .obsidian, .notewrightignore or Markdown notes)`,
    "Obsidian's list of vaults",
  ]
  return new Failure('not-found', `No vault found. Checked:\n${places.map((place) => `  - ${place}`).join('\n')}`, {
    hint: 'Run with --vault FOLDER, or save your folder with: notewright config set vault FOLDER',
  })
}

/** The vault that the user named, and its source. */
export function requestedVault({ config, sources }: LoadedConfig): RequestedVault | undefined {
  const { source = 'default', variable } = sources.vault ?? {}
  return config.vault === undefined || source === 'default' ? undefined : { path: config.vault, source, variable }
}

/** A folder that may be the user's vault. */
interface VaultCandidate {
  /** Real path. */
  root: string
  from: 'this folder' | 'Obsidian'
}

/** The current folder if it contains notes, and the vaults in Obsidian's list, the last opened first. */
export async function listVaultCandidates(surroundings: HostEnvironment): Promise<VaultCandidate[]> {
  const here = vaultAround(surroundings) ?? unmarkedNotes(surroundings)
  const known = (await obsidianVaults(surroundings)).map(realFolder)
  const found = new Map<string, VaultCandidate>()
  if (here !== undefined) found.set(here, { root: here, from: 'this folder' })
  for (const root of known) if (root !== undefined && !found.has(root)) found.set(root, { root, from: 'Obsidian' })
  return [...found.values()]
}

/** At most this many folders are searched: enough for nested folders, but not a whole disk. */
const maxFolders = 200

/** True if there are notes in a folder or not far below it. Hidden folders and those of other programs are ignored. */
function containsMarkdown(root: string): boolean {
  const folders = [root]
  let looked = 0
  // Folders that are found are searched later in the same loop.
  for (const folder of folders) {
    if (looked++ === maxFolders) break
    for (const entry of entriesOf(folder)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      if (entry.isFile() && isNote(entry.name as NotePath)) return true
      if (entry.isDirectory()) folders.push(join(folder, entry.name))
    }
  }
  return false
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** The user's answers by real path: whether a folder with notes is a vault. */
type FolderAnswers = ReadonlyMap<string, boolean>

/** A missing or damaged file contains no choices, so the user is asked again. */
function readFolderAnswers(state: string): FolderAnswers {
  try {
    const read: unknown = JSON.parse(readFileSync(answersFile(state), 'utf8'))
    const entries = isRecord(read) ? Object.entries(read) : []
    return new Map(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'))
  } catch {
    return new Map()
  }
}

async function saveFolderAnswer(state: string, root: string, isVault: boolean): Promise<void> {
  const known = new Map(readFolderAnswers(state)).set(root, isVault)
  await privateFolder(state)
  const draft = `${answersFile(state)}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`, { mode: 0o600 })
  await rename(draft, answersFile(state))
}

const answersFile = (state: string): string => join(state, 'folders.json')

/** The vaults Obsidian knows, the one open now or opened last first. Empty when Obsidian is not there. */
export async function obsidianVaults(surroundings: HostEnvironment): Promise<string[]> {
  for (const file of registryFiles(surroundings)) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    const vaults = text === undefined ? [] : parseRegistry(text)
    if (vaults.length > 0) return vaults
  }
  return []
}

function registryFiles({ environment, platform, home }: HostEnvironment): string[] {
  if (platform === 'darwin') return [join(home, 'Library/Application Support/obsidian/obsidian.json')]
  if (platform === 'win32')
    return [join(environment.APPDATA || join(home, 'AppData/Roaming'), 'obsidian/obsidian.json')]
  return [
    join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'obsidian/obsidian.json'),
    join(home, '.var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json'),
    join(home, 'snap/obsidian/current/.config/obsidian/obsidian.json'),
  ]
}

/** `{"vaults": {"<id>": {"path": "…", "ts": 1700000000000, "open": true}}}` */
function parseRegistry(text: string): string[] {
  let registry: unknown
  try {
    registry = JSON.parse(text)
  } catch {
    return []
  }
  const entries = Object.values((registry as { vaults?: Record<string, unknown> } | null)?.vaults ?? {}).filter(isEntry)
  const recency = (entry: RegistryEntry) => (entry.open === true ? Number.MAX_SAFE_INTEGER : (entry.ts ?? 0))
  return entries.sort((a, b) => recency(b) - recency(a)).map((entry) => entry.path)
}

interface RegistryEntry {
  path: string
  ts?: number
  open?: boolean
}

function isEntry(value: unknown): value is RegistryEntry {
  return typeof value === 'object' && value !== null && typeof (value as RegistryEntry).path === 'string'
}
