import type { WorkOptions } from '../catch-up.js'
import { openVaultIndex, type VaultIndexSetup } from '../open-vault-index.js'

/** An update of the index, or one half of it: reading what changed, then making the vectors. */
export type IndexStage = 'read' | 'vectors' | 'both'

export interface StageOptions extends WorkOptions {
  /** false leaves it at placing new notes in the semantic model there is. */
  vectors: boolean
}

export async function runStage(
  stage: IndexStage,
  setup: VaultIndexSetup,
  { vectors, ...options }: StageOptions,
): Promise<void> {
  const index = await openVaultIndex(setup)
  if (stage !== 'vectors') await index.catchUp(options)
  if (stage !== 'read') await index.finishVectors({ ...options, fit: vectors })
}
