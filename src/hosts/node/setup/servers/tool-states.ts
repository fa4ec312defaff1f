import type { Config } from '../../../../core/config/index.js'
import { Failure } from '../../../../core/errors.js'
import { type Familiarity, familiarity, type ServerTool, titleOf, toolHash } from '../../../../core/mcp/index.js'
import { nearestName } from '../../../../core/names/index.js'
import { offeredName } from '../../../../core/tools/index.js'
import { type FoundServers, type ServersPlace, serverNamed } from './find-servers.js'
import { withServer } from './with-server.js'

export interface ToolState {
  tool: ServerTool
  state: Familiarity
  /** Named in the settings, and what the person has seen. */
  enabled: boolean
  /** As the person saw it, where it has changed since. */
  before?: ServerTool
}

/** Asks a server what its tools say of themselves. */
export async function readToolStates(place: ServersPlace, name: string, found: FoundServers): Promise<ToolState[]> {
  const tools = await withServer(
    place,
    serverNamed(name, found.servers),
    found.headers,
    async (connection) => connection.tools,
  )
  return toolStates(name, tools, await found.known.seen.of(name), found.setup.config)
}

export function toolStates(
  server: string,
  tools: readonly ServerTool[],
  seen: ReadonlyMap<string, ServerTool>,
  { tools: { enabled = [] } }: Pick<Config, 'tools'>,
): ToolState[] {
  return tools.map((tool) => {
    const { name } = tool
    const ids = [`${server}/${name}`, `mcp_${server}_${name}`, offeredName({ server, tool: name })]
    const state = familiarity(tool, seen)
    const before = state === 'changed' ? seen.get(name) : undefined
    return {
      tool,
      state,
      enabled: state === 'seen' && ids.some((id) => enabled.includes(id)),
      ...(before && { before }),
    }
  })
}

export function stateNamed(name: string, server: string, states: readonly ToolState[]): ToolState {
  const found = states.find(({ tool }) => tool.name === name)
  if (found !== undefined) return found
  const names = states.map(({ tool }) => tool.name)
  const near = nearestName(name, names)
  throw new Failure('not-found', `${server} has no tool ${name}.`, {
    hint: near ? `Did you mean ${near}?` : `It has ${names.join(', ')}.`,
  })
}

/** A tool with all that its server says of it. */
export function toolStateRow({ tool, state, enabled, before }: ToolState) {
  const { name, title: own, description = '', inputSchema, outputSchema, annotations } = tool
  return {
    name,
    title: titleOf(tool),
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
