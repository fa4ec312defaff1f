import { version } from '../../hosts/node/version.js'
import { instructions } from './instructions.js'
import type { ServedVaults } from './setup.js'

/** How the server introduces itself. */
export const serverInfo = { name: 'notewright', title: 'Notewright', version }

export const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
  logging: {},
}

/** Revisions that begin with a handshake, the newest first. */
export const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

/** The answer to a handshake. */
export function handshake(vaults: Pick<ServedVaults, 'names'>, wanted: string) {
  const protocolVersion = handshakeVersions.includes(wanted) ? wanted : handshakeVersions[0]
  return { protocolVersion, capabilities, serverInfo, instructions: instructions(vaults) }
}
