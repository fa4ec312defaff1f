import type { Config } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import { type Keys, type Provider, providerAddress, secret } from '../../core/providers/index.js'
import { webSearchSettings } from '../../core/session/index.js'
import type { TrustStore } from './servers.js'
import { environmentOf, type PluginSettings } from './settings.js'

/** A possible recipient of a key: a service, at the address in the settings. */
export interface KeyRecipient {
  /** A provider's id, or `webSearchService`. */
  service: string
  origin: string
  /** The service's default address. */
  isUsual: boolean
}

export const webSearchService = 'web-search'

/**
 * The settings are in the vault's folder, which may be shared and synced: anyone who writes there could redirect a key.
 * So a key is sent only to the default address until the user has agreed to another one on this device.
 */
export interface KeyRecipients {
  maySend: (recipient: KeyRecipient) => boolean
  trust: (recipient: KeyRecipient) => Promise<void>
}

export async function keyRecipients(kept: TrustStore): Promise<KeyRecipients> {
  const trusted = new Set((await kept.all()).map(({ server }) => server))
  return {
    maySend: (recipient) => recipient.isUsual || trusted.has(entryOf(recipient)),
    async trust(recipient) {
      await kept.add({ server: entryOf(recipient), hash: recipient.origin })
      trusted.add(entryOf(recipient))
    },
  }
}

/** No MCP server can have such a name. */
const entryOf = ({ service, origin }: KeyRecipient): string => `the key of ${service} for ${origin}`

/** undefined where there is no address, or none that can be understood. */
export function recipientOfKey(provider: Provider, settings: PluginSettings): KeyRecipient | undefined {
  try {
    const address = providerAddress(provider, environmentOf(settings, [provider]))
    return address === undefined ? undefined : recipient(provider.id, address, provider.address.standard)
  } catch {
    return undefined
  }
}

/** undefined where no engine is chosen. */
export function recipientOfSearchKey(web: Config['web']): KeyRecipient | undefined {
  const address = webSearchSettings(web)?.url
  const usual = webSearchSettings({ ...web, searchUrl: undefined })?.url
  return address === undefined ? undefined : recipient(webSearchService, address, usual)
}

function recipient(service: string, address: string, usual: string | undefined): KeyRecipient {
  const { origin } = new URL(address)
  return { service, origin, isUsual: usual !== undefined && new URL(usual).origin === origin }
}

function notTrustedWithKey({ name }: Provider, { origin }: KeyRecipient): Failure {
  return new Failure(
    'needs-approval',
    `Your key for ${name} is not sent to ${origin} until you approve it on this device.`,
    {
      hint: `This address comes from settings of another device. Check it under Settings → Notewright → Providers → ${name}.`,
    },
  )
}

/** Keys from Obsidian's own store, under the names that the user has chosen, for the addresses of the same settings. */
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
