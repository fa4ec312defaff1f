import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { Failure } from '../../core/errors.js'
import { hashBytes } from '../../core/vault/index.js'

/** The folders of Notewright itself, never inside a vault unless NOTEWRIGHT_HOME is. */
export interface StateFolders {
  configFile: string
  /** State that must not be lost: conversations, journals. */
  state: string
  /** Data that can be rebuilt: indexes. */
  cache: string
  /** The desktop's trash, where its form is an open standard: not ours, but where deleted notes may go. */
  systemTrash?: string
}

export interface HostEnvironment {
  environment: Record<string, string | undefined>
  platform: NodeJS.Platform
  home: string
  /** Base of a relative NOTEWRIGHT_HOME. */
  currentFolder: string
}

export function stateFolders(surroundings: HostEnvironment = processEnvironment()): StateFolders {
  const { environment, platform, home, currentFolder } = surroundings
  const trash = systemTrash(surroundings)
  const own = environment.NOTEWRIGHT_HOME
  if (own) {
    const root = resolve(currentFolder, own)
    return { configFile: join(root, 'config.json'), state: join(root, 'state'), cache: join(root, 'cache'), ...trash }
  }
  const folder = (name: string, fallback: string) => join(absolute(environment[name]) ?? fallback, 'notewright')
  const [config, state, cache] = fallbacks(platform, home, environment)
  return {
    configFile: join(folder('XDG_CONFIG_HOME', config), 'config.json'),
    state: folder('XDG_STATE_HOME', state),
    cache: folder('XDG_CACHE_HOME', cache),
    ...trash,
  }
}

/** The environment of this process. */
export function processEnvironment(): HostEnvironment {
  return { environment: process.env, platform: process.platform, home: homedir(), currentFolder: process.cwd() }
}

// The XDG specification: a path that is not absolute is to be ignored.
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined
}

function systemTrash({ environment, platform, home }: HostEnvironment): Pick<StateFolders, 'systemTrash'> {
  if (platform === 'win32' || platform === 'darwin') return {}
  return { systemTrash: join(absolute(environment.XDG_DATA_HOME) ?? join(home, '.local/share'), 'Trash') }
}

function fallbacks(
  platform: NodeJS.Platform,
  home: string,
  environment: HostEnvironment['environment'],
): [config: string, state: string, cache: string] {
  if (platform === 'win32') {
    const roaming = environment.APPDATA || join(home, 'AppData', 'Roaming')
    const local = environment.LOCALAPPDATA || join(home, 'AppData', 'Local')
    return [roaming, join(local, 'State'), join(local, 'Cache')]
  }
  const config = join(home, '.config')
  if (platform === 'darwin') return [config, join(home, 'Library/Application Support'), join(home, 'Library/Caches')]
  return [config, join(home, '.local/state'), join(home, '.cache')]
}

interface VaultFolders {
  id: string
  index: string
  journal: string
}

/** The folders of one vault's index and journal. `root` is its real path, so that two spellings share them. */
export function vaultFolders(folders: StateFolders, root: string): VaultFolders {
  const id = vaultId(root)
  return { id, index: join(folders.cache, 'vaults', id), journal: join(folders.state, 'vaults', id) }
}

/** A recognizable name and a hash that distinguishes vaults of the same name: `garden-3f9a0c51d2e4b687`. */
export function vaultId(root: string): string {
  const readable = basename(root)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '')
  // Not Node's own, which takes longer to load than everything else needed to open a vault.
  const hash = hashBytes(new TextEncoder().encode(root)).slice(0, 16)
  return `${readable || 'vault'}-${hash}`
}

/** Makes the folder, and those above it that are missing, for its owner's eyes only. Answers the path. */
export async function privateFolder(path: string): Promise<string> {
  await makeFolder(path)
  const { mode } = statSync(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(path, 0o700)
  return path
}

/**
 * Like `mkdir -p`. Node's own recursive mkdir loops forever where the system reports an existing parent as missing, as
 * below `/proc` or behind a dangling link.
 */
export async function makeFolder(path: string, isAboveMade = false): Promise<void> {
  if (isFolder(path)) return
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may just have made it.
    if (isFolder(path)) return
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || isAboveMade) {
      const failure = new Failure('invalid-input', `Can't create the folder ${path} (${code}).`, {
        hint: "To store Notewright's data elsewhere: NOTEWRIGHT_HOME=/path/to/a/folder",
      })
      failure.cause = error
      throw failure
    }
    await makeFolder(dirname(path))
    await makeFolder(path, true)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const refusals = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT'])
/** SQLite's codes for the same: PERM, READONLY, CANTOPEN. */
const sqliteRefusals = new Set([3, 8, 14])

/** The system's code for why state cannot be stored; undefined for any other error. */
export function unwritableReason(error: unknown): string | undefined {
  const { code, errcode } = (error instanceof Failure ? (error.cause ?? {}) : (error ?? {})) as {
    code?: unknown
    errcode?: unknown
  }
  if (typeof code === 'string' && refusals.has(code)) return code
  return typeof errcode === 'number' && sqliteRefusals.has(errcode & 0xff) ? 'SQLite cannot write it' : undefined
}

/** The refusal of a change while its journal cannot be written. Other errors stay as they are. */
export function journalFailure(error: unknown, folder: string): unknown {
  const why = error instanceof Failure ? undefined : unwritableReason(error)
  if (why === undefined) return error
  const failure = new Failure('denied', `Can't use the journal in ${folder} (${why}). Nothing was changed.`, {
    hint: 'Changes need the journal for undo. Make the folder writable, or use another: NOTEWRIGHT_HOME=/path/to/a/folder',
    data: { folder },
  })
  failure.cause = error
  return failure
}
