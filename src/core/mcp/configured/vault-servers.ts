import { type ServerSetting, serverSettings } from '../../config/index.js'
import { isRecord } from '../../is-record.js'

/** Where a vault names servers, as other programs read it from a project. */
export const vaultServersFile = '.mcp.json'

/** So long it may be. */
export const vaultServersBytes = 256 << 10

/** The servers a vault brings along. They are a stranger's: nothing of them runs before the person trusts it. */
export function vaultServers(text: string, onTrouble: (text: string) => void): Record<string, ServerSetting> {
  const servers = serversIn(text)
  if (servers === undefined)
    onTrouble(`${vaultServersFile} of this vault is not a list of MCP servers, so it was left out.`)
  return servers ?? {}
}

function serversIn(text: string): Record<string, ServerSetting> | undefined {
  try {
    const tree: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    const parsed = serverSettings.safeParse(isRecord(tree) ? (tree.mcpServers ?? {}) : undefined)
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
