import { type Keys, secret } from '../../core/providers/index.js'
import { type KeyRecipients, notTrustedWithKey, recipientOfKey } from './key-recipients.js'
import type { PluginSettings } from './settings.js'

/** Keys from Obsidian's own store, under the names that the person has chosen, for the addresses of the same settings. */
export function secretKeys(
  settings: PluginSettings,
  getSecret: (name: string) => string | null,
  recipients: KeyRecipients,
): Keys {
  return async (provider) => {
    const name = settings.secrets[provider.id]
    const value = name ? getSecret(name)?.trim() : undefined
    const recipient = recipientOfKey(provider, settings)
    if (!value || recipient === undefined) return undefined
    if (!recipients.maySend(recipient)) throw notTrustedWithKey(provider, recipient)
    return secret(value)
  }
}
