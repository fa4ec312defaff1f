import { dirname, join } from 'node:path'
import type { Config } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import { wrapServerTool } from '../../../core/mcp/index.js'
import {
  aliases,
  builtInTools,
  checkToolNames,
  findTool,
  findToolById,
  guidanceFor,
  inputSchema,
  isDefaultList,
  isServerToolName,
  outputSchema,
  type Registry,
  registry,
  type Tool,
  type Toolset,
  toolset,
  withToolSwitched,
} from '../../../core/tools/index.js'
import { approvedPrograms } from '../approved-programs.js'
import { setConfigValue } from '../config.js'
import { ownTools } from '../own-tools.js'
import type { StateFolders } from '../state-folders.js'
import type { LoadedSettings } from './settings.js'

/** A tool in a list. */
function toolRow(tool: Tool, enabled: ReadonlySet<string>) {
  const { name, title, description, category, effects, alwaysOn } = tool
  return {
    name,
    title,
    description,
    category,
    effects,
    enabled: enabled.has(name),
    ...(alwaysOn && { alwaysOn }),
    inputSchema: inputSchema(tool),
  }
}

export function toolRows({ registry, toolset }: ConfiguredTools) {
  return registry.all().map(({ tool, source }) => {
    return { ...toolRow(tool, toolset.names), ...(source !== 'built-in' && { source }) }
  })
}

/** All details of one tool, with its guidance for models. */
export function toolDetails({ registry, toolset }: ConfiguredTools, name: string) {
  const { tool, source } = findTool(registry, { name, input: {} }).registered
  const setting = toolset.guidance[tool.name]
  return {
    ...registry.metadata(tool.name),
    source,
    enabled: toolset.names.has(tool.name),
    aliases: Object.keys(aliases).filter((alias) => aliases[alias]?.tool === tool.name),
    guidance: guidanceFor(tool, setting),
    ...(setting?.addGuidance && { addGuidance: setting.addGuidance }),
    example: tool.example,
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
  }
}

/** Switches one tool on or off, ours or as `server/tool`. Answers its own name. */
export async function switchTool(
  setup: LoadedSettings,
  name: string,
  isOn: boolean,
): Promise<{ name: string; enabled: boolean; waits: boolean }> {
  const { registry } = await configuredTools(setup)
  const isAwaited = name.includes('/') || isServerToolName(name)
  const found = isAwaited ? findToolById(name, registry) : findTool(registry, { name, input: {} }).registered
  if (found?.tool.alwaysOn && !isOn) throw new Failure('invalid-input', `${found.tool.name} is always on.`)
  await switchTools(setup, [name], isOn)
  return { name: found?.tool.name ?? name, enabled: isOn, waits: found === undefined }
}

/** Enables or disables tools in the user's configuration. Writes only the changed ones. */
export async function switchTools(setup: LoadedSettings, names: readonly string[], isOn: boolean): Promise<void> {
  const { config, folders } = setup
  const { registry } = await configuredTools(setup)
  let enabled: readonly string[] | undefined = config.tools.enabled
  for (const name of names) enabled = withToolSwitched(enabled, name, isOn, registry)
  const text = enabled === undefined || isDefaultList(enabled) ? '' : JSON.stringify(enabled)
  await setConfigValue(folders.configFile, 'tools.enabled', text)
}

interface ConfiguredTools {
  registry: Registry
  toolset: Toolset
  /** Problems with the user's own tools. */
  troubles: string[]
}

/** The tools there are and those the settings switch on. A name no tool has is an error: it would do nothing. */
export async function configuredTools({
  config,
  folders,
}: Pick<LoadedSettings, 'config' | 'folders'>): Promise<ConfiguredTools> {
  const { tools } = config
  const all = registry(builtInTools)
  const troubles = await ownTools(ownToolsFolder(folders), approvedPrograms(folders.state)).refresh(all)
  await addSeenTools(all, config, folders)
  checkToolNames(tools, all)
  return { registry: all, toolset: toolset(tools, all), troubles }
}

/** Tools of servers as the user last reviewed them: they are listed without starting any server. */
async function addSeenTools(all: Registry, { tools, mcpServers = {} }: Config, { state }: StateFolders): Promise<void> {
  const named = (tools.enabled ?? []).flatMap((id) =>
    id.startsWith('custom/') ? [] : (/^([^/]+)\//.exec(id)?.[1] ?? []),
  )
  const servers = new Set([...Object.keys(mcpServers), ...named])
  if (servers.size === 0) return
  const { serverApprovals } = await import('../mcp-servers.js')
  const { seen } = serverApprovals(state)
  for (const server of servers) {
    const call = async () => {
      throw new Failure('network', `MCP server not found: ${server}`)
    }
    const tools = [...(await seen.of(server)).values()].map((tool) => wrapServerTool(tool, { server, call }))
    if (tools.length > 0) all.registerServer(server, tools)
  }
}

export const ownToolsFolder = ({ configFile }: StateFolders): string => join(dirname(configFile), 'tools')
