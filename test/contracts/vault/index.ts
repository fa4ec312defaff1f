import { describe } from 'vitest'
import { describeChanging } from './changing.js'
import { describeExclusions } from './exclusions.js'
import type { OpenVault } from './opened-vault.js'
import { describeReading } from './reading.js'
import { describeUndo } from './undo.js'

export * from './changes.js'
export type { OpenedVault, OpenVault } from './opened-vault.js'

/** The promises of every vault. A new host proves itself by adding one line. */
export function describeVault(name: string, open: OpenVault): void {
  describe(`${name} keeps the vault's promises`, () => {
    describeReading(open)
    describeExclusions(open)
    describeChanging(open)
    describeUndo(open)
  })
}
