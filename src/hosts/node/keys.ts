import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../core/errors.js'
import { firstSetVariable, type Keys, type Provider, type Secret, secret } from '../../core/providers/index.js'
import { privateFolder } from './state-folders.js'

interface FoundKey {
  key: Secret
  source: 'environment' | 'keyring' | 'file'
  /** The variable or the file it comes from. */
  where?: string
}

/** The user's API keys: from the environment, the system keyring or a private file, in this order. */
export interface KeyStore {
  find(provider: Provider): Promise<FoundKey | undefined>
  /** Answers where it was put. */
  set(provider: Provider, key: string): Promise<SecretLocation>
  /** False when there was none to remove. A variable is not ours to unset. */
  remove(provider: Provider): Promise<boolean>
  /** For `openModel`. */
  keys: Keys
}

export function keyStore(options: SecretStoreOptions): KeyStore {
  const { environment } = options
  const secrets = secretStore(options)

  async function find(provider: Provider): Promise<FoundKey | undefined> {
    const variable = firstSetVariable(provider.key?.environment ?? [], environment)
    if (variable !== undefined) {
      // `!`: firstSetVariable returns only variables that are set.
      return { key: secret(environment[variable]!.trim()), source: 'environment', where: variable }
    }
    const kept = await secrets.read(provider.id)
    return kept && { key: secret(kept.text), ...kept.place }
  }

  return {
    find,
    keys: async (provider) => (await find(provider))?.key,
    set: async (provider, text) => secrets.write(provider.id, checkKey(text)),
    remove: (provider) => secrets.remove(provider.id),
  }
}

/** A key is one word. Other pasted text would fail later with a worse message. */
function checkKey(text: string): string {
  const key = text.trim()
  if (key === '') throw new Failure('invalid-input', 'No key was stored, because the input was empty.')
  if (/[^\x21-\x7e]/.test(key) || key.length > 4096) {
    throw new Failure(
      'invalid-input',
      'No key was stored. An API key is one word of ASCII letters, digits and symbols.',
    )
  }
  return key
}

export interface SecretStoreOptions {
  environment: Readonly<Record<string, string | undefined>>
  /** Notewright's state folder. */
  state: string
  /** The vault in use, if known. Secrets are never stored in it. */
  vault?: string | undefined
  /**
   * Default: the system keyring, if there is one. With NOTEWRIGHT_HOME, everything is stored there, including secrets.
   */
  keyring?: Keyring
}

interface SecretLocation {
  source: 'keyring' | 'file'
  /** The file. */
  where?: string
}

/** Secret texts by name: in the system keyring, otherwise in private files. */
export interface SecretStore {
  read(name: string): Promise<{ text: string; place: SecretLocation } | undefined>
  write(name: string, text: string): Promise<SecretLocation>
  /** False when there was none to remove. */
  remove(name: string): Promise<boolean>
}

export function secretStore({ environment, state, vault, keyring }: SecretStoreOptions): SecretStore {
  const files = keyFiles(join(state, 'keys'), vault)
  let opened: Promise<Keyring | undefined> | undefined
  const ring = () => (opened ??= keyring === undefined ? ownKeyring() : Promise.resolve(keyring))
  const ownKeyring = async () => (environment.NOTEWRIGHT_HOME ? undefined : systemKeyring())
  const inFile = (name: string): SecretLocation => ({ source: 'file', where: files.pathOf(name) })

  return {
    async read(name) {
      const kept = await (await ring())?.read(name)
      if (kept) return { text: kept, place: { source: 'keyring' } }
      const written = await files.read(name)
      return written === undefined ? undefined : { text: written, place: inFile(name) }
    },
    async write(name, text) {
      if (await (await ring())?.write(name, text)) {
        await files.remove(name)
        return { source: 'keyring' }
      }
      await files.write(name, text)
      return inFile(name)
    },
    async remove(name) {
      const fromRing = (await (await ring())?.remove(name)) ?? false
      const fromFile = await files.remove(name)
      return fromRing || fromFile
    },
  }
}

interface KeyFiles {
  read(provider: string): Promise<string | undefined>
  write(provider: string, key: string): Promise<void>
  remove(provider: string): Promise<boolean>
  pathOf(provider: string): string
}

const maxKeyBytes = 8192

/** One private file per key, never inside a vault, since notes are synced and shared. */
function keyFiles(folder: string, vault: string | undefined): KeyFiles {
  const pathOf = (provider: string) => join(folder, provider)
  const mayBeHere = async () => !(await isInsideVault(folder, vault))
  return {
    pathOf,
    async read(provider) {
      return (await mayBeHere()) ? readPrivate(pathOf(provider)) : undefined
    },
    async write(provider, key) {
      if (!(await mayBeHere())) {
        throw new Failure('path', `API keys can't be stored inside a vault: ${folder}`, {
          hint: 'Set NOTEWRIGHT_HOME to a folder outside the vault, or set the key as an environment variable.',
        })
      }
      await privateFolder(folder)
      await writePrivate(pathOf(provider), key)
    },
    async remove(provider) {
      try {
        await rm(pathOf(provider))
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    },
  }
}

/** A file that others could read is closed first; a link or anything but a file is not a key. */
async function readPrivate(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(error.code)) return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > maxKeyBytes) return undefined
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) await file.chmod(0o600)
    const key = (await file.readFile('utf8')).trim()
    return key === '' ? undefined : key
  } finally {
    await file.close()
  }
}

async function writePrivate(path: string, key: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${key}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** True if a folder, existing or not, is inside the vault in use or any Obsidian vault. */
export async function isInsideVault(folder: string, vault: string | undefined): Promise<boolean> {
  const place = await realPathOf(resolve(folder))
  if (vault !== undefined) {
    const inside = relative(await realPathOf(resolve(vault)), place)
    if (inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(inside) !== inside)) return true
  }
  for (let above = place; ; above = dirname(above)) {
    if (await isFolder(join(above, '.obsidian'))) return true
    if (dirname(above) === above) return false
  }
}

/** The path without links, as far as it exists. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(await realPathOf(above), relative(above, path))
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** The system's own place for secrets. Every answer may be "not here": then a file is used. */
export interface Keyring {
  read(provider: string): Promise<string | undefined>
  /** False when the system has no such place, or it is locked. */
  write(provider: string, key: string): Promise<boolean>
  remove(provider: string): Promise<boolean>
}

interface KeyringPackage {
  AsyncEntry: new (
    service: string,
    account: string,
  ) => {
    getPassword(): Promise<string | null | undefined>
    setPassword(password: string): Promise<void>
    deletePassword(): Promise<unknown>
  }
}

const keyringService = 'notewright'
/** A locked keyring may wait for input at another screen. */
const keyringTimeoutMs = 2000

/** Through @napi-rs/keyring; undefined where it has no binary for this system. */
async function systemKeyring(): Promise<Keyring | undefined> {
  // Named in a variable so that it stays optional for the bundler too.
  const name = '@napi-rs/keyring'
  try {
    const { AsyncEntry } = (await import(name)) as KeyringPackage
    return typeof AsyncEntry === 'function' ? packageKeyring(AsyncEntry) : undefined
  } catch {
    return undefined
  }
}

function packageKeyring(Entry: KeyringPackage['AsyncEntry']): Keyring {
  return {
    read: (provider) =>
      withFallback(undefined, async () => (await new Entry(keyringService, provider).getPassword()) ?? undefined),
    write: (provider, key) =>
      withFallback(false, async () => {
        await new Entry(keyringService, provider).setPassword(key)
        return true
      }),
    remove: (provider) =>
      withFallback(false, async () => {
        const entry = new Entry(keyringService, provider)
        if (!(await entry.getPassword())) return false
        await entry.deletePassword()
        return true
      }),
  }
}

async function withFallback<T>(otherwise: T, act: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), keyringTimeoutMs)
  })
  try {
    return await Promise.race([act().catch(() => otherwise), late])
  } finally {
    clearTimeout(timer)
  }
}
