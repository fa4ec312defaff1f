import { Failure } from '../../../core/errors.js'
import { type Keys, type Provider, type Secret, secret, variableOf } from '../../../core/providers/index.js'
import { type KeptIn, type SecretStoreOptions, secretStore } from './secret-store.js'

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
  set(provider: Provider, key: string): Promise<KeptIn>
  /** False when there was none to remove. A variable is not ours to unset. */
  remove(provider: Provider): Promise<boolean>
  /** For `openModel`. */
  keys: Keys
}

export function keyStore(options: SecretStoreOptions): KeyStore {
  const { environment } = options
  const secrets = secretStore(options)

  async function find(provider: Provider): Promise<FoundKey | undefined> {
    const variable = variableOf(provider.key?.environment ?? [], environment)
    if (variable !== undefined) {
      return { key: secret(environment[variable]!.trim()), source: 'environment', where: variable }
    }
    const kept = await secrets.read(provider.id)
    return kept && { key: secret(kept.text), ...kept.place }
  }

  return {
    find,
    keys: async (provider) => (await find(provider))?.key,
    set: async (provider, text) => secrets.write(provider.id, checkedKey(text)),
    remove: (provider) => secrets.remove(provider.id),
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
