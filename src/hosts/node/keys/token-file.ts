import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keyFiles } from './key-files.js'

/** The token whoever speaks to our server must show: a file for its owner's eyes only, outside the vault. */
export interface TokenFile {
  path: string
  read(): Promise<string | undefined>
  /** Makes a token, in place of the one that was there. */
  renew(): Promise<string>
}

const name = 'token'

export function tokenFile({ state, vault }: { state: string; vault?: string }): TokenFile {
  const files = keyFiles(join(state, 'serve'), vault)
  return {
    path: files.pathOf(name),
    read: () => files.read(name),
    async renew() {
      const token = `nw-${randomBytes(32).toString('base64url')}`
      await files.write(name, token)
      return token
    },
  }
}
