import * as z from 'zod/mini'
import {
  type Config,
  checkConfig,
  type Setting,
  settingsIn,
  settingTexts,
  withValueAt,
} from '../../core/config/index.js'
import type { Environment, Provider } from '../../core/providers/index.js'

/** Settings of the schema that the plugin stores under the names that people know from other plugins. */
export const knownNames = {
  stream: 'stream',
  'tools.calling': 'enableToolCalling',
  instructions: 'pluginSystemMessage',
} as const

interface KnownSettings {
  stream: boolean
  /** Off: a language model gets no tools, and sees nothing of the vault except the question's attachments. */
  enableToolCalling: boolean
  /** The user's own words in every system message. */
  pluginSystemMessage: string
}

/** Settings that only the plugin has. */
const pluginSchema = z.strictObject({
  generateAtCursor: z._default(z.boolean(), false).register(settingTexts, {
    about: 'In a chat note, write the answer at the cursor. If off, at the end of the note.',
    expects: 'true or false',
    group: 'chat',
    label: 'Generate at cursor',
  }),
  autoInferTitle: z._default(z.boolean(), false).register(settingTexts, {
    about: 'Name a chat note after its topic. Links to it are updated.',
    expects: 'true or false',
    group: 'chat',
    label: 'Infer title automatically',
  }),
  headingLevel: z._default(z.int().check(z.minimum(0), z.maximum(6)), 2).register(settingTexts, {
    about: 'Heading level for role::user and role::assistant in a chat note. 0: no headings.',
    expects: 'a whole number from 0 to 6',
    group: 'chat',
    label: 'Heading level',
  }),
  debug: z._default(z.boolean(), false).register(settingTexts, {
    about: 'Log tool calls to the console, without note text or keys.',
    expects: 'true or false',
    group: 'kept',
    label: 'Debug log',
  }),
})
type OwnSettings = z.infer<typeof pluginSchema>

export const ownSettings: readonly Setting[] = settingsIn(pluginSchema)

/** Content of the plugin's `data.json`, which may be synced: names of secrets, never secrets. */
export interface PluginSettings extends KnownSettings, OwnSettings {
  /** As in the settings file of the command line; missing values use the schema's defaults. */
  config: Record<string, unknown>
  /** Names of secrets, by the provider they open. */
  secrets: Record<string, string>
  /** Names of secrets, by the MCP server that is sent them. */
  serverSecrets: Record<string, string>
  /** The project of new conversations; '' for the whole vault. */
  project: string
  /** Addresses of servers, by provider; missing ones use the default. */
  addresses: Record<string, string>
  /** Models that servers have named when they were asked, to choose from. */
  models: string[]
}

/**
 * The settings in force. Invalid settings are not guessed: the schema's defaults apply, and `trouble` gives the reason.
 */
export function configOf(settings: PluginSettings): { config: Config; trouble?: string } {
  try {
    return { config: checkConfig(withKnownSettings(settings.config, settings), 'The settings of the plugin') }
  } catch (error) {
    const trouble = `${(error as Error).message}. The default settings are used.`
    return { config: checkConfig(withKnownSettings({}, settings), ''), trouble }
  }
}

function withKnownSettings(config: Record<string, unknown>, settings: KnownSettings): Record<string, unknown> {
  let told = config
  for (const [key, name] of Object.entries(knownNames)) {
    const value = settings[name]
    told = withValueAt(told, key, typeof value === 'string' ? value.trim() || undefined : value)
  }
  return told
}

/** Addresses as the core asks for them: by the names that environment variables have elsewhere. */
export function environmentOf({ addresses }: PluginSettings, providers: readonly Provider[]): Environment {
  return Object.fromEntries(
    providers.flatMap(({ id, address }) => {
      const written = addresses[id]?.trim()
      const [name] = address.environment
      return written && name !== undefined ? [[name, written] as const] : []
    }),
  )
}
