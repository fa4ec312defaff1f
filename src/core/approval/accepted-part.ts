import { Failure } from '../errors.js'
import { executableNotices, type ReadableVault } from '../tools/index.js'
import { type AcceptedHunks, acceptHunks, type ChangeSet, decodeNote } from '../vault/index.js'
import type { ApprovalRequest } from './requests/index.js'
import { addedAddresses, audienceChanges, changedTexts } from './writes/index.js'

export interface AcceptedPart {
  changes: ChangeSet
  /** For the model. */
  told: string
}

/**
 * The accepted hunks of a set; undefined when that is all of it, `changed` when the notes are not what was shown,
 * `more` when the part alone would do what nobody was asked about: leave text that other programs run, make a viewer load
 * something, or change who can see a note, where the whole would not.
 */
export async function acceptedPart(
  set: ChangeSet,
  accepted: readonly AcceptedHunks[],
  request: Pick<ApprovalRequest, 'hunks'>,
  vault: Pick<ReadableVault, 'read'>,
): Promise<AcceptedPart | 'changed' | 'more' | undefined> {
  const chosen = new Map(accepted.map(({ change, hunks }) => [change, new Set(hunks).size]))
  const counts = (request.hunks ?? []).map(({ change, hunks }) => [chosen.get(change) ?? hunks.length, hunks.length])
  const [kept, all] = counts.reduce(([a, b], [own, total]) => [a + own, b + total], [0, 0])
  if (kept === all) return undefined
  try {
    const changes = await acceptHunks(set, accepted, (path) => vault.read(path))
    if ((await runsMore(set, changes, vault)) || (await opensMore(set, changes, vault))) return 'more'
    return { changes, told: `The user accepted ${kept} of ${all} hunks; the others were not written.` }
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return 'changed'
    throw error
  }
}

async function runsMore(whole: ChangeSet, part: ChangeSet, vault: Pick<ReadableVault, 'read'>): Promise<boolean> {
  const count = async ({ changes }: ChangeSet) => {
    let found = 0
    for (const change of changes) {
      if (change.kind !== 'edit') continue
      const before = (await vault.read(change.path))?.text ?? ''
      found += executableNotices(change.path, before, decodeNote(change.after).text).length
    }
    return found
  }
  return (await count(part)) > (await count(whole))
}

async function opensMore(whole: ChangeSet, part: ChangeSet, vault: Pick<ReadableVault, 'read'>): Promise<boolean> {
  const effects = async (set: ChangeSet) =>
    (await changedTexts(set, vault)).flatMap((text) => [
      ...addedAddresses(text.path, text.before ?? '', text.after).map(({ url }) => url),
      ...audienceChanges(text),
    ])
  const known = new Set(await effects(whole))
  return (await effects(part)).some((effect) => !known.has(effect))
}
