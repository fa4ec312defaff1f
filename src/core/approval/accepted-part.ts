import { Failure } from '../errors.js'
import type { ReadableVault } from '../tools/index.js'
import { type AcceptedHunks, acceptHunks, type ChangeSet } from '../vault/index.js'
import type { ApprovalRequest } from './requests/index.js'

export interface AcceptedPart {
  changes: ChangeSet
  /** For the model. */
  told: string
}

/** The accepted hunks of a set; undefined when that is all of it, `changed` when the notes are not what was shown. */
export async function acceptedPart(
  set: ChangeSet,
  accepted: readonly AcceptedHunks[],
  request: Pick<ApprovalRequest, 'hunks'>,
  vault: Pick<ReadableVault, 'read'>,
): Promise<AcceptedPart | 'changed' | undefined> {
  const chosen = new Map(accepted.map(({ change, hunks }) => [change, new Set(hunks).size]))
  const counts = (request.hunks ?? []).map(({ change, hunks }) => [chosen.get(change) ?? hunks.length, hunks.length])
  const [kept, all] = counts.reduce(([a, b], [own, total]) => [a + own, b + total], [0, 0])
  if (kept === all) return undefined
  try {
    const changes = await acceptHunks(set, accepted, (path) => vault.read(path))
    return { changes, told: `The user accepted ${kept} of ${all} hunks; the others were not written.` }
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return 'changed'
    throw error
  }
}
