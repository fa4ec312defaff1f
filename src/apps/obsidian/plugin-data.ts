import { isRecord } from '../../core/is-record.js'
import type { ChatBehavior, PluginSettings } from '../../hosts/obsidian/index.js'

/** What is there and makes sense; a file that was edited by hand, or by another version, may hold anything. */
export function readSettings(data: unknown): PluginSettings {
  const told = isRecord(data) ? data : {}
  const { secrets, serverSecrets, addresses, models, project, debug } = told
  const { stream, instructions, ...config } = isRecord(told.config) ? told.config : {}
  const enableToolCalling = isRecord(config.tools) && config.tools.calling
  return {
    ...behaviorIn({ stream, pluginSystemMessage: instructions, enableToolCalling, ...told }),
    config: withKnownNames(config, told),
    secrets: textsIn(secrets),
    serverSecrets: textsIn(serverSecrets),
    addresses: textsIn(addresses),
    models: namesIn(models) ?? [],
    project: typeof project === 'string' ? project : '',
    debug: debug === true,
  }
}

function behaviorIn(told: Record<string, unknown>): ChatBehavior {
  const { stream, generateAtCursor, autoInferTitle, enableToolCalling, pluginSystemMessage, headingLevel } = told
  return {
    stream: stream !== false,
    generateAtCursor: generateAtCursor === true,
    autoInferTitle: autoInferTitle === true,
    enableToolCalling: enableToolCalling === true,
    pluginSystemMessage: typeof pluginSystemMessage === 'string' ? pluginSystemMessage : '',
    headingLevel: isLevel(headingLevel) ? headingLevel : 2,
  }
}

/** Names of settings that people bring along count where nothing else is said. Tools keep the names they have there. */
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
