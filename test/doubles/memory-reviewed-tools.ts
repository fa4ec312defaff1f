import type { ReviewedTools, ServerTool } from '../../src/core/mcp/index.js'

/** What was reviewed, for as long as the process lasts. */
export function memoryReviewedTools(): ReviewedTools {
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
