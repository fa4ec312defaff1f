import type { JournaledVault } from '../../../src/core/vault/index.js'

export interface OpenedVault {
  vault: JournaledVault
  /** The world outside: another editor, a sync client. Paths may start with a dot here. */
  write(path: string, content: string | Uint8Array): void | Promise<void>
  remove(path: string): void | Promise<void>
  /** Every file with its bytes, the trash too. */
  snapshot(): Promise<Map<string, Uint8Array>>
}

export type OpenVault = (files: Record<string, string | Uint8Array>, exclude?: string[]) => Promise<OpenedVault>
