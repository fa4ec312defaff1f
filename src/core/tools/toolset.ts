import { Failure } from '../errors.js'
import { aliases } from './aliases.js'
import { findTool } from './find-tool.js'
import type { GuidanceSetting } from './guidance.js'
import { mayBeOffered } from './offered-name.js'
import { defaultToolset, type RegisteredTool, type Registry } from './registry.js'
import type { Tool } from './tool.js'

/** The section `tools` of the settings. Tools of servers may be named before they are there. */
export interface ToolsSection {
  /** Names of the tools that are on, or `server/tool`. */
  enabled?: readonly string[]
  /** Names of those that a model with little room is offered. */
  core?: readonly string[]
  /** By name of the tool; `calling` is for those who talk to a model. */
  [tool: string]: GuidanceSetting | readonly string[] | boolean | undefined
}

/** What a turn works with, as far as tools go. */
export interface Toolset {
  /** In the order of the registry. */
  tools: readonly Tool[]
  /** Their names: a call to any other is a call to an unknown tool. */
  names: ReadonlySet<string>
  /** Those of them that a model with little room is offered: the core, and what is on beyond the usual. */
  few: readonly Tool[]
  /** What the person says about using them, by name. */
  guidance: Record<string, GuidanceSetting>
}

/** The tools the settings switch on, of those that are there now. */
export function toolset({ enabled, ...rest }: ToolsSection, registry: Registry, hasVault = true): Toolset {
  const nameOf = (id: string) => toolNamed(id, registry)?.tool.name
  const ids = enabled ? new Set(enabled.flatMap((id) => nameOf(id) ?? [])) : defaultToolset(registry)
  const tools = registry.enabled(ids, { vault: hasVault })
  const guidance = guidanceIn(rest).flatMap(([id, setting]) => {
    const name = nameOf(id)
    return name === undefined ? [] : [[name, setting] as const]
  })
  const usual = defaultToolset(registry)
  const core = new Set((rest.core ?? []).flatMap((id) => nameOf(id) ?? []))
  const few = rest.core === undefined ? tools : tools.filter(({ name }) => core.has(name) || !usual.has(name))
  return { tools, few, names: new Set(tools.map(({ name }) => name)), guidance: Object.fromEntries(guidance) }
}

/**
 * Refuses a name no tool has and none is waited for: it would silently do nothing. A tool of a configured server is
 * waited for; where nobody knows which servers are configured, whatever is written as `server/tool` or `mcp_…`.
 */
export function checkToolNames({ enabled = [], ...rest }: ToolsSection, registry: Registry, servers?: string[]): void {
  const isAwaited = (id: string) => {
    if (id.startsWith(ownPrefix)) return true
    const [, server] = /^([^/]+)\/./.exec(id) ?? []
    if (server !== undefined) return servers === undefined || servers.includes(server)
    if (servers === undefined) return id.startsWith('mcp_')
    return servers.some((configured) => mayBeOffered(id, configured) || id.startsWith(`mcp_${configured}_`))
  }
  for (const name of [...enabled, ...(rest.core ?? []), ...guidanceIn(rest).map(([id]) => id)]) {
    if (toolNamed(name, registry) !== undefined || isAwaited(name)) continue
    try {
      findTool(registry, { name, input: {} })
    } catch (error) {
      if (error instanceof Failure) throw new Failure('invalid-input', `Settings: ${error.message}`, error.details)
      throw error
    }
  }
}

function guidanceIn(section: ToolsSection): [string, GuidanceSetting][] {
  return Object.entries(section).filter(
    (entry): entry is [string, GuidanceSetting] => typeof entry[1] === 'object' && !Array.isArray(entry[1]),
  )
}

const ownPrefix = 'custom/'

/** What stands in the settings for a tool: a tool that someone wrote may be gone or broken, and is then waited for. */
export function toolId({ tool, source }: RegisteredTool): string {
  return source.startsWith('custom:') ? `${ownPrefix}${tool.name}` : tool.name
}

/** The tool of an id in the settings: its name, a name other systems use, `custom/tool`, `server/tool` or `mcp_server_tool`. */
export function toolNamed(id: string, registry: Registry): RegisteredTool | undefined {
  const own = registry.find(Object.hasOwn(aliases, id) ? aliases[id].tool : id)
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
