import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenedVault } from '../src/core/session/index.js'
import { openVault } from '../src/hosts/node/open-vault.js'

/** Opens the sample vault for as long as `use` runs, with state of its own that is gone afterwards. */
export async function scene(use: (vault: OpenedVault) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'notewright-example-'))
  const vault = await openVault('examples/vault', { environment: { NOTEWRIGHT_HOME: home } })
  try {
    await use(vault)
  } finally {
    await vault.close()
    await rm(home, { recursive: true, force: true })
  }
}
