import { join } from 'node:path'
import { keyFiles } from './key-files.js'
import { type Keyring, systemKeyring } from './keyring.js'

export interface SecretStoreOptions {
  environment: Readonly<Record<string, string | undefined>>
  /** Notewright's state folder. */
  state: string
  /** The vault in use, if one is known: secrets are never kept in it. */
  vault?: string
  /** Unless told, the system's, where there is one. With an own NOTEWRIGHT_HOME everything stays there, secrets too. */
  keyring?: Keyring
}

export interface KeptIn {
  source: 'keyring' | 'file'
  /** The file. */
  where?: string
}

/** Texts for this person alone, by name: in the system's keyring, else in private files. */
export interface SecretStore {
  read(name: string): Promise<{ text: string; place: KeptIn } | undefined>
  write(name: string, text: string): Promise<KeptIn>
  /** False when there was none to remove. */
  remove(name: string): Promise<boolean>
}

export function secretStore({ environment, state, vault, keyring }: SecretStoreOptions): SecretStore {
  const files = keyFiles(join(state, 'keys'), vault)
  let opened: Promise<Keyring | undefined> | undefined
  const ring = () => (opened ??= keyring === undefined ? ownKeyring() : Promise.resolve(keyring))
  const ownKeyring = async () => (environment.NOTEWRIGHT_HOME ? undefined : systemKeyring())
  const inFile = (name: string): KeptIn => ({ source: 'file', where: files.pathOf(name) })

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
