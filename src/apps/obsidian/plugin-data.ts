import { isRecord } from '../../core/is-record.js'
import type { PluginSettings } from '../../hosts/obsidian/index.js'

/**
 * Loads the valid fields of data.json, which another version or a user may have edited. Obsidian waits for this, and the
 * index worker loads it too, so it does without the schema of the settings.
 */
export function readPluginSettings(data: unknown): PluginSettings {
  const told = isRecord(data) ? data : {}
  const { secrets, serverSecrets, addresses, models, project, headingLevel } = told
  const { stream, instructions, ...config } = isRecord(told.config) ? told.config : {}
  const calling = isRecord(config.tools) && config.tools.calling
  const known = { stream, pluginSystemMessage: instructions, enableToolCalling: calling, ...told }
  return {
    stream: known.stream !== false,
    enableToolCalling: known.enableToolCalling === true,
    pluginSystemMessage: typeof known.pluginSystemMessage === 'string' ? known.pluginSystemMessage : '',
    generateAtCursor: told.generateAtCursor === true,
    autoInferTitle: told.autoInferTitle === true,
    headingLevel: isLevel(headingLevel) ? headingLevel : 2,
    debug: told.debug === true,
    config: withKnownNames(config, told),
    secrets: textsIn(secrets),
    serverSecrets: textsIn(serverSecrets),
    addresses: textsIn(addresses),
    models: namesIn(models) ?? [],
    project: typeof project === 'string' ? project : '',
  }
}

/** Settings names of other plugins apply if ours are missing. Tools keep their names from there. */
function withKnownNames(
  config: Record<string, unknown>,
  { enableAutonomousAgent, autonomousAgentEnabledToolIds }: Record<string, unknown>,
): Record<string, unknown> {
  const tools = isRecord(config.tools) ? config.tools : {}
  const enabled = namesIn(autonomousAgentEnabledToolIds)
  return {
    ...(enableAutonomousAgent === true && { mode: 'agent' }),
    ...config,
    ...(enabled && { tools: { enabled, ...tools } }),
  }
}

const isLevel = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 6

const namesIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string' && name !== '') : undefined

function textsIn(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((one): one is [string, string] => typeof one[1] === 'string'))
}
