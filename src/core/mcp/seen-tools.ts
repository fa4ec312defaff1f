import { type ServerTool, toolHash } from './server-tool.js'

/** The tools of servers that the person has looked at, as they were then. Hosts keep them. */
export interface SeenTools {
  /** By the tool's name. */
  of(server: string): Promise<ReadonlyMap<string, ServerTool>>
  add(server: string, tools: readonly ServerTool[]): Promise<void>
}

/** `new`: nobody has looked at it. `changed`: it is not the one that was looked at. */
export type Familiarity = 'seen' | 'new' | 'changed'

export function familiarity(tool: ServerTool, seen: ReadonlyMap<string, ServerTool>): Familiarity {
  const known = seen.get(tool.name)
  if (known === undefined) return 'new'
  return toolHash(known) === toolHash(tool) ? 'seen' : 'changed'
}

export function memorySeenTools(): SeenTools {
  const servers = new Map<string, Map<string, ServerTool>>()
  return {
    of: async (server) => new Map(servers.get(server)),
    async add(server, tools) {
      const own = servers.get(server) ?? new Map<string, ServerTool>()
      for (const tool of tools) own.set(tool.name, JSON.parse(JSON.stringify(tool)) as ServerTool)
      servers.set(server, own)
    },
  }
}
