import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerSetting } from '../../../core/config/index.js'
import { vaultServers, vaultServersBytes, vaultServersFile } from '../../../core/mcp/index.js'

/** The servers that the folder of a vault brings along. */
export async function readVaultServers(
  root: string,
  onTrouble: (text: string) => void,
): Promise<Record<string, ServerSetting>> {
  const text = await readText(join(root, vaultServersFile)).catch((error: Error) => {
    onTrouble(`${vaultServersFile} of this vault cannot be read, so none of its servers is there (${error.message}).`)
    return undefined
  })
  return text === undefined ? {} : vaultServers(text, onTrouble)
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
    if (stat.size > vaultServersBytes) throw new Error(`it has more than ${vaultServersBytes} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
