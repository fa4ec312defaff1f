import type { Config } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import { addressOf, type Provider } from '../../core/providers/index.js'
import { webSearchSettings } from '../../core/session/index.js'
import type { TrustStore } from './servers.js'
import { environmentOf, type PluginSettings } from './settings.js'

/** Who would be sent a key: a service, at the address that the settings name for it. */
export interface KeyRecipient {
  /** A provider's id, or `webSearchService`. */
  service: string
  origin: string
  /** Where everybody finds this service. */
  isUsual: boolean
}

export const webSearchService = 'web-search'

/**
 * The settings lie in the vault's folder, which may be shared and synced: whoever writes there could have a key sent
 * anywhere. So it goes to no other address than the usual one before the person has agreed to that on this device.
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
    const address = addressOf(provider, environmentOf(settings, [provider]))
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

export function notTrustedWithKey({ name }: Provider, { origin }: KeyRecipient): Failure {
  return new Failure('needs-approval', `Your key for ${name} is not sent to ${origin} before you agree to that here.`, {
    hint: `The settings name this address, and you have not entered it on this device. See Settings → Notewright → Providers → ${name}.`,
  })
}
