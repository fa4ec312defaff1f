import { join } from 'node:path'
import { Failure } from '../../../core/errors.js'
import { type Keys, type Provider, type Secret, secret, variableOf } from '../../../core/providers/index.js'
import { type KeyFiles, keyFiles } from './key-files.js'
import { type Keyring, systemKeyring } from './keyring.js'

export interface KeyStoreOptions {
  environment: Readonly<Record<string, string | undefined>>
  /** Notewright's state folder. */
  state: string
  /** The vault in use, if one is known: keys are never kept in it. */
  vault?: string
  /** Unless told, the system's, where there is one. With an own NOTEWRIGHT_HOME everything stays there, keys too. */
  keyring?: Keyring
}

export interface FoundKey {
  key: Secret
  source: 'environment' | 'keyring' | 'file'
  /** The variable or the file it comes from. */
  where?: string
}

/** Keys of this person: the environment first, then the system's keyring, then a private file. */
export interface KeyStore {
  find(provider: Provider): Promise<FoundKey | undefined>
  /** Answers where it was put. */
  set(provider: Provider, key: string): Promise<{ source: 'keyring' | 'file'; where?: string }>
  /** False when there was none to remove. A variable is not ours to unset. */
  remove(provider: Provider): Promise<boolean>
  /** For `openModel`. */
  keys: Keys
}

export function keyStore({ environment, state, vault, keyring }: KeyStoreOptions): KeyStore {
  const files: KeyFiles = keyFiles(join(state, 'keys'), vault)
  let opened: Promise<Keyring | undefined> | undefined
  const ring = () => (opened ??= keyring === undefined ? ownKeyring() : Promise.resolve(keyring))
  const ownKeyring = async () => (environment.NOTEWRIGHT_HOME ? undefined : systemKeyring())

  async function find(provider: Provider): Promise<FoundKey | undefined> {
    const variable = variableOf(provider.key?.environment ?? [], environment)
    if (variable !== undefined) {
      return { key: secret(environment[variable]!.trim()), source: 'environment', where: variable }
    }
    const kept = await (await ring())?.read(provider.id)
    if (kept) return { key: secret(kept), source: 'keyring' }
    const written = await files.read(provider.id)
    if (written === undefined) return undefined
    return { key: secret(written), source: 'file', where: files.pathOf(provider.id) }
  }

  return {
    find,
    keys: async (provider) => (await find(provider))?.key,
    async set(provider, text) {
      const key = checkedKey(text)
      if (await (await ring())?.write(provider.id, key)) {
        await files.remove(provider.id)
        return { source: 'keyring' }
      }
      await files.write(provider.id, key)
      return { source: 'file', where: files.pathOf(provider.id) }
    },
    async remove(provider) {
      const fromRing = (await (await ring())?.remove(provider.id)) ?? false
      const fromFile = await files.remove(provider.id)
      return fromRing || fromFile
    },
  }
}

/** One word, as keys are: what else was pasted along would only fail later, and less clearly. */
function checkedKey(text: string): string {
  const key = text.trim()
  if (key === '') throw new Failure('invalid-input', 'There is no key to store: the input was empty.')
  if (/[^\x21-\x7e]/.test(key) || key.length > 4096) {
    throw new Failure('invalid-input', 'That is not a key: a key is one word of plain letters, digits and signs.')
  }
  return key
}
