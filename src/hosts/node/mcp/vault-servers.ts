import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServerSetting, serverSettings } from '../../../core/config/index.js'
import { isRecord } from '../../../core/is-record.js'

/** Where a vault names servers, as other programs read it from a project. */
export const vaultServersFile = '.mcp.json'

const sizeLimit = 256 << 10

/** The servers a vault brings along. They are a stranger's: nothing of them runs before the person trusts it. */
export async function vaultServers(
  root: string,
  onTrouble: (text: string) => void,
): Promise<Record<string, ServerSetting>> {
  const text = await readText(join(root, vaultServersFile)).catch((error: Error) => {
    onTrouble(`${vaultServersFile} of this vault cannot be read, so none of its servers is there (${error.message}).`)
    return undefined
  })
  if (text === undefined) return {}
  const servers = serversIn(text)
  if (servers === undefined)
    onTrouble(`${vaultServersFile} of this vault is not a list of MCP servers, so it was left out.`)
  return servers ?? {}
}

async function readText(path: string): Promise<string | undefined> {
  // A link could lead anywhere, and a pipe would never end.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > sizeLimit) throw new Error(`it has more than ${sizeLimit} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
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
