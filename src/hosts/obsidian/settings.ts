import { type Config, checkConfig, withValueAt } from '../../core/config/index.js'
import type { Environment, Provider } from '../../core/providers/index.js'

/** How answers are asked for, under the names that people know from other plugins. */
export interface ChatBehavior {
  stream: boolean
  /** In a note: the answer comes where the cursor is, not to the end. */
  generateAtCursor: boolean
  /** A conversation in a note gives the note its name after the first answers. */
  autoInferTitle: boolean
  /** Off: a language model is offered no tools, and sees nothing of the vault but what is asked. */
  enableToolCalling: boolean
  /** The person's own words in every system message. */
  pluginSystemMessage: string
  /** Of the headings of a conversation in a note; 0: none. */
  headingLevel: number
}

/** What the plugin keeps in its `data.json`, which may be synced: names of secrets, and never a secret. */
export interface PluginSettings extends ChatBehavior {
  /** As in the settings file of the command line; what is left out is as the schema says. */
  config: Record<string, unknown>
  /** Names of secrets, by the provider they open. */
  secrets: Record<string, string>
  /** Names of secrets, by the MCP server that is sent them. */
  serverSecrets: Record<string, string>
  /** The part of the vault that new conversations are about; '' for all of it. */
  project: string
  /** Addresses of servers, by provider; where none stands it is the usual one. */
  addresses: Record<string, string>
  /** Models that servers have named when they were asked, to choose from. */
  models: string[]
  /** Says on the console what goes on, without any text of notes. */
  debug: boolean
}

/** The settings in force. Where they cannot be understood nothing is guessed: they are those of the schema, and `trouble` says why. */
export function configOf(settings: PluginSettings): { config: Config; trouble?: string } {
  try {
    return { config: checkConfig(withBehavior(settings.config, settings), 'The settings of the plugin') }
  } catch (error) {
    const trouble = `${(error as Error).message}. The usual settings are in force.`
    return { config: checkConfig(withBehavior({}, settings), ''), trouble }
  }
}

function withBehavior(
  config: Record<string, unknown>,
  { stream, enableToolCalling, pluginSystemMessage }: ChatBehavior,
): Record<string, unknown> {
  const told = withValueAt(withValueAt(config, 'stream', stream), 'tools.calling', enableToolCalling)
  return withValueAt(told, 'instructions', pluginSystemMessage.trim() || undefined)
}

/** Addresses as the core asks for them: by the names that environment variables have elsewhere. */
export function environmentOf({ addresses }: PluginSettings, providers: readonly Provider[]): Environment {
  return Object.fromEntries(
    providers.flatMap(({ id, address }) => {
      const written = addresses[id]?.trim()
      return written ? [[address.environment[0], written]] : []
    }),
  )
}
