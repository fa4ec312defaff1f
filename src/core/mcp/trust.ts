import { canonicalJson } from '../approval/index.js'
import type { ServerSetting } from '../config/index.js'
import { offeredName } from '../tools/index.js'
import { hashBytes } from '../vault/index.js'
import { type ServerTool, serverToolTitle, toolHash } from './tools.js'

/** A configured server, and whether it may be started. */
export interface ListedServer {
  name: string
  from: 'settings' | 'vault'
  setting: ServerSetting
  /** Hash of the entry. A changed entry must be trusted again. */
  hash: string
  /** `hidden`: the settings have a server with the same name. */
  state: 'on' | 'off' | 'untrusted' | 'hidden'
}

/** An entry that the user has trusted, as it was then. */
export interface TrustedServer {
  server: string
  hash: string
}

interface ServerSources {
  settings: Readonly<Record<string, ServerSetting>>
  /** Servers that the vault configures. */
  vault: Readonly<Record<string, ServerSetting>>
  trusted: readonly TrustedServer[]
  /** True if an entry of the settings needs no trust; all of them by default. */
  isOwn?: (name: string, setting: ServerSetting) => boolean
}

/** Lists all servers of the settings and of the vault. Starts none. */
export function listServers({ settings, vault, trusted, isOwn = () => true }: ServerSources): ListedServer[] {
  const listed = (from: ListedServer['from'], name: string, setting: ServerSetting): ListedServer => {
    const hash = hashBytes(new TextEncoder().encode(canonicalJson(setting)))
    const isTrusted =
      (from === 'settings' && isOwn(name, setting)) ||
      trusted.some((entry) => entry.server === name && entry.hash === hash)
    const isHidden = from === 'vault' && Object.hasOwn(settings, name)
    const state = isHidden ? 'hidden' : !isTrusted ? 'untrusted' : setting.disabled ? 'off' : 'on'
    return { name, from, setting, hash, state }
  }
  return [
    ...Object.entries(settings).map(([name, setting]) => listed('settings', name, setting)),
    ...Object.entries(vault).map(([name, setting]) => listed('vault', name, setting)),
  ]
}

/** Storage for the tools of servers that the user has reviewed, as they were then. Hosts implement it. */
export interface ReviewedTools {
  /** The reviewed tools by name. */
  of(server: string): Promise<ReadonlyMap<string, ServerTool>>
  add(server: string, tools: readonly ServerTool[]): Promise<void>
}

/** `new`: the user has not reviewed the tool. `changed`: it differs from the one that was reviewed. */
export type ReviewState = 'seen' | 'new' | 'changed'

export function reviewState(tool: ServerTool, seen: ReadonlyMap<string, ServerTool>): ReviewState {
  const known = seen.get(tool.name)
  if (known === undefined) return 'new'
  return toolHash(known) === toolHash(tool) ? 'seen' : 'changed'
}

export interface ReviewedTool {
  tool: ServerTool
  state: ReviewState
  /** Enabled in the settings and unchanged since the user reviewed it. */
  enabled: boolean
  /** The reviewed version, if it has changed since. */
  before?: ServerTool
}

/** The tools of a server as it describes them now. `enabled` are the ids in `tools.enabled`. */
export function reviewStates(
  server: string,
  tools: readonly ServerTool[],
  seen: ReadonlyMap<string, ServerTool>,
  enabled: readonly string[] = [],
): ReviewedTool[] {
  return tools.map((tool) => {
    const { name } = tool
    const ids = [`${server}/${name}`, `mcp_${server}_${name}`, offeredName({ server, tool: name })]
    const state = reviewState(tool, seen)
    const before = state === 'changed' ? seen.get(name) : undefined
    return {
      tool,
      state,
      enabled: state === 'seen' && ids.some((id) => enabled.includes(id)),
      ...(before && { before }),
    }
  })
}

/** A tool with its full description from the server. Plain data. */
export function reviewedToolRow({ tool, state, enabled, before }: ReviewedTool) {
  const { name, title: own, description = '', inputSchema, outputSchema, annotations } = tool
  return {
    name,
    title: serverToolTitle(tool),
    ...(own !== undefined && { ownTitle: own }),
    description,
    hash: toolHash(tool),
    state,
    enabled,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(before && { before }),
  }
}
