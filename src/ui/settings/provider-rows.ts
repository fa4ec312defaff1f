import { count, visibleText } from '../../core/text/index.js'
import type { RowStatus, SettingsRow } from './settings-rows.js'

// Providers of models in the settings of page and plugin, as data.

/** A provider as in `notewright models --json`. */
export interface ShownProvider {
  /** Its id. */
  provider: string
  name: string
  /** True if it has an address and the key that it needs. */
  configured: boolean
  address?: string | undefined
  /** Where its key is: a variable, the keyring, a file or the secret storage. */
  key?: { source: string; where?: string } | undefined
  /** Absent if it was not queried. */
  running?: boolean | undefined
  models?: readonly string[] | undefined
  problem?: { text: string; hint?: string } | undefined
}

export type ProviderAction = 'key' | 'test' | 'remove-key'

export const providerWords = {
  local: 'On this computer',
  localAbout: 'No key is needed.',
  online: 'Online',
  onlineAbout: 'Your questions and the notes it reads are sent to the provider of the chosen model.',
  test: 'Test connection',
  testAbout: 'Asks the provider for its list of models. No notes are sent.',
  connected: (name: string, models: number) => `Connected to ${inSentence(name)}: ${count(models, 'model')}.`,
  failed: (name: string, why?: string) => `Can't connect to ${inSentence(name)}${why === undefined ? '.' : `: ${why}`}`,
  keyStored: 'The key is stored.',
  keyRemoved: 'The key is removed.',
  chosen: (model: string) => `New chats use ${model}.`,
}

/** Some names begin with an article. */
const inSentence = (name: string): string => name.replace(/^The /, 'the ')

const localProviders = ['ollama', 'lmstudio']

/** True for a server that runs on this computer unless it has another address. */
export const isLocalProvider = ({ provider }: Pick<ShownProvider, 'provider'>): boolean =>
  localProviders.includes(provider)

export function providerRow(provider: ShownProvider): SettingsRow<ProviderAction> {
  const { name, configured, address, key, models, problem } = provider
  const isLocal = isLocalProvider(provider)
  const found = models !== undefined && models.length > 0 ? count(models.length, 'model') : undefined
  const facts = [found, keyText(key), problem === undefined ? undefined : [problem.text, problem.hint].join(' ').trim()]
  const about = facts.filter((fact) => fact !== undefined).join('. ')
  const hasStoredKey = key !== undefined && key.source !== 'environment'
  return {
    title: visibleText(name).text,
    status: statusOf(provider),
    ...(address !== undefined && { code: visibleText(address).text }),
    ...(about !== '' && { about: visibleText(about).text }),
    actions: [
      ...(configured ? [{ id: 'test' as const, label: `Test ${name}`, name: 'Test' }] : []),
      ...(isLocal || (address === undefined && problem === undefined)
        ? []
        : [
            {
              id: 'key' as const,
              label: key ? `New key for ${name}` : `Connect ${name}`,
              name: key ? 'New key' : 'Connect',
            },
          ]),
      ...(hasStoredKey
        ? [{ id: 'remove-key' as const, label: `Remove the key of ${name}`, isDanger: true as const }]
        : []),
    ],
  }
}

function statusOf(provider: ShownProvider): RowStatus {
  const { configured, address, key, running, models, problem } = provider
  const isLocal = isLocalProvider(provider)
  if (problem !== undefined) return { tone: 'bad', text: key === undefined ? 'Check settings' : 'Check key' }
  if (running) return { tone: 'ok', text: isLocal ? 'Running' : 'Connected' }
  if (running === false) return { tone: 'off', text: isLocal ? 'Not running' : 'No connection' }
  if (address === undefined) return { tone: 'off', text: 'Not set up' }
  if (!configured) return { tone: 'off', text: 'No key' }
  return models === undefined || models.length === 0
    ? { tone: 'off', text: 'Not tested' }
    : { tone: 'ok', text: 'Connected' }
}

function keyText(key: ShownProvider['key']): string | undefined {
  switch (key?.source) {
    case undefined:
      return undefined
    case 'environment':
      return `Key from ${key?.where}`
    case 'keyring':
      return 'Key in the system keyring'
    case 'file':
      return 'Key in a private file'
    default:
      return 'Key in the secret storage of Obsidian'
  }
}
