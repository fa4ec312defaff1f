import { Failure } from '../errors.js'
import {
  aliases,
  defaultToolset,
  findTool,
  isServerToolName,
  mayBeOffered,
  type RegisteredTool,
  type Registry,
} from './registry.js'
import { isAbout } from './request-topics.js'
import type { Tool } from './tool.js'

// `!` is used on an alias that was found, and on the server of tools that were filtered for having one.

/** The section `tools` of the settings. Tools of servers may be named before they are there. */
export interface ToolsConfig {
  /** Names of the tools that are on, or `server/tool`; `default` for the usual ones, and `-name` for one that is off. */
  enabled?: readonly string[] | undefined
  /** Names of those that a model with little room is offered. */
  core?: readonly string[] | undefined
  /** By name of the tool; `calling` is for those who talk to a model. */
  [tool: string]: GuidanceSetting | readonly string[] | boolean | undefined
}

/** The tools of a turn. */
export interface Toolset {
  /** In the order of the registry. */
  tools: readonly Tool[]
  /** Their names: a call to any other is a call to an unknown tool. */
  names: ReadonlySet<string>
  /** The tools for a model with a small context: the core, and those switched on beyond the default. */
  few: readonly Tool[]
  /** Those that are described only when the request is about their topic. */
  occasional: ReadonlySet<string>
  /** Guidance from the settings, by tool name. */
  guidance: Record<string, GuidanceSetting>
}

/** The tools the settings switch on, of those that are there now. */
export function toolset({ enabled, ...rest }: ToolsConfig, registry: Registry, hasVault = true): Toolset {
  const nameOf = (id: string) => findToolById(id, registry)?.tool.name
  const ids = enabledTools(enabled, registry)
  const tools = registry.enabled(ids, { vault: hasVault })
  const guidance = guidanceIn(rest).flatMap(([id, setting]) => {
    const name = nameOf(id)
    return name === undefined ? [] : [[name, setting] as const]
  })
  const usual = defaultToolset(registry)
  const core = new Set((rest.core ?? []).flatMap((id) => nameOf(id) ?? []))
  const few = rest.core === undefined ? tools : tools.filter(({ name }) => core.has(name) || !usual.has(name))
  const named = new Set([...(enabled ?? []), ...(rest.core ?? [])].flatMap((id) => nameOf(id) ?? []))
  const occasional = tools.filter(({ name, onRequest }) => onRequest !== undefined && !named.has(name))
  return {
    tools,
    few,
    names: new Set(tools.map(({ name }) => name)),
    occasional: new Set(occasional.map(({ name }) => name)),
    guidance: Object.fromEntries(guidance),
  }
}

/**
 * The tools to describe to a model in a conversation. A topic of an earlier request still counts, so that providers can
 * cache the description.
 */
export function toolsFor(
  { tools, few, occasional }: Toolset,
  { isTight, requests }: { isTight: boolean; requests: readonly string[] },
): readonly Tool[] {
  const usual = new Set(isTight ? few : tools)
  return tools.filter((tool) => {
    const { name, onRequest } = tool
    if (onRequest === undefined || !occasional.has(name)) return usual.has(tool)
    return requests.some((request) => isAbout(onRequest, request))
  })
}

/**
 * Throws for a name that no present or expected tool has: it would silently do nothing. Tools of configured servers
 * are expected; if the servers are unknown, every name like `server/tool`, `server__tool` or `mcp_…` is.
 */
export function checkToolNames({ enabled = [], ...rest }: ToolsConfig, registry: Registry, servers?: string[]): void {
  const isAwaited = (id: string) => {
    if (id.startsWith(ownPrefix)) return true
    const [, server] = /^([^/]+)\/./.exec(id) ?? []
    if (server !== undefined) return servers === undefined || servers.includes(server)
    if (servers === undefined) return id.startsWith('mcp_') || isServerToolName(id)
    return servers.some((configured) => mayBeOffered(id, configured) || id.startsWith(`mcp_${configured}_`))
  }
  const named = enabled.filter((id) => id !== usualTools).map(withoutMinus)
  for (const name of [...named, ...(rest.core ?? []), ...guidanceIn(rest).map(([id]) => id)]) {
    if (findToolById(name, registry) !== undefined || isAwaited(name)) continue
    try {
      findTool(registry, { name, input: {} })
    } catch (error) {
      if (error instanceof Failure) throw new Failure('invalid-input', `Settings: ${error.message}`, error.details)
      throw error
    }
  }
}

function guidanceIn(section: ToolsConfig): [string, GuidanceSetting][] {
  return Object.entries(section).filter(
    (entry): entry is [string, GuidanceSetting] => typeof entry[1] === 'object' && !Array.isArray(entry[1]),
  )
}

const ownPrefix = 'custom/'

/** In `tools.enabled`: all tools that are on by default, also those of later versions. */
const usualTools = 'default'
const withoutMinus = (id: string): string => id.replace(/^-/, '')

/** Names of the tools that a list of the settings switches on, of those that are there now. */
export function enabledTools(enabled: readonly string[] = [usualTools], registry: Registry): Set<string> {
  const namesOf = (ids: readonly string[]) => ids.flatMap((id) => findToolById(id, registry)?.tool.name ?? [])
  const on = enabled.includes(usualTools) ? defaultToolset(registry) : new Set<string>()
  for (const name of namesOf(enabled.filter((id) => !id.startsWith('-') && id !== usualTools))) on.add(name)
  for (const name of namesOf(enabled.filter((id) => id.startsWith('-')).map(withoutMinus))) on.delete(name)
  return on
}

/** The list with one tool switched and the rest unchanged. Without a list, stores only the change. */
export function withToolSwitched(
  enabled: readonly string[] = [usualTools],
  id: string,
  isOn: boolean,
  registry: Registry,
): string[] {
  const found = findToolById(id, registry)
  const isMeant = (each: string) => {
    const bare = withoutMinus(each)
    return bare === id || (found !== undefined && bare !== usualTools && findToolById(bare, registry) === found)
  }
  const rest = enabled.filter((each) => !isMeant(each))
  const own = found ? toolId(found) : id
  const isUsual = rest.includes(usualTools) && found !== undefined && !found.tool.offByDefault
  if (isOn) return isUsual ? rest : [...rest, own]
  return isUsual ? [...rest, `-${own}`] : rest
}

/** True if the list only says that the default tools are on. */
export const isDefaultList = (enabled: readonly string[]): boolean => enabled.length === 1 && enabled[0] === usualTools

/** The id of a tool in the settings. A custom tool has a prefix, because it may be missing for a while. */
function toolId({ tool, source, foreign }: RegisteredTool): string {
  if (foreign !== undefined) return `${foreign.server}/${foreign.tool}`
  return source.startsWith('custom:') ? `${ownPrefix}${tool.name}` : tool.name
}

/** The tool of an id in the settings: its name, a name other systems use, `custom/tool`, `server/tool` or `mcp_server_tool`. */
export function findToolById(id: string, registry: Registry): RegisteredTool | undefined {
  const own = registry.find(Object.hasOwn(aliases, id) ? aliases[id]!.tool : id)
  if (own !== undefined) return own
  if (id.startsWith(ownPrefix)) {
    const written = registry.find(id.slice(ownPrefix.length))
    return written?.source.startsWith('custom:') ? written : undefined
  }
  const foreign = registry.all().filter((entry) => entry.foreign !== undefined)
  const exact = foreign.find((entry) => `${entry.foreign!.server}/${entry.foreign!.tool}` === id)
  // `mcp_a_b_c` may be two tools: then it is neither.
  const meant = foreign.filter((entry) => `mcp_${entry.foreign!.server}_${entry.foreign!.tool}` === id)
  return exact ?? (meant.length === 1 ? meant[0] : undefined)
}

/** The user's settings for one tool. A vault cannot change them. */
export interface GuidanceSetting {
  /** Instead of the tool's own. '' for none. */
  guidance?: string | undefined
  /** Added to the existing guidance. */
  addGuidance?: string | undefined
}

/** The second prompt layer of one tool: its own guidance, replaced or extended by the user's settings. */
export function guidanceFor(tool: Tool, setting: GuidanceSetting = {}): string | undefined {
  const parts = [setting.guidance ?? tool.guidance, setting.addGuidance].map((part) => part?.trim())
  return parts.filter(Boolean).join('\n') || undefined
}
