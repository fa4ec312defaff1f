import { Failure } from '../../errors.js'
import type { ProposedCall, ReadableVault } from '../../tools/index.js'
import { type Change, type ChangeSet, decodeNote, type NotePath } from '../../vault/index.js'

/** A file before and after a change set, as text. */
export interface ChangedText {
  path: NotePath
  /** Where it lay before, when the set moves it. */
  movedFrom?: NotePath
  /** Absent for a file that is new. */
  before?: string
  after: string
}

/** Every file that a set leaves with another text or in another place. */
export async function changedTexts(set: ChangeSet, vault: Pick<ReadableVault, 'read'>): Promise<ChangedText[]> {
  const changed = new Map<NotePath, ChangedText>()
  for (const change of set.changes) {
    const { path } = change
    const known = changed.get(path) ?? (await unchanged(path, vault))
    changed.delete(path)
    if (change.kind === 'trash') continue
    if (change.kind === 'move') {
      changed.set(change.to, { ...known, path: change.to, movedFrom: known.movedFrom ?? path })
    } else changed.set(path, { ...known, after: textAfter(change, known.after) })
  }
  return [...changed.values()]
}

/**
 * What there is to look at in a call. A rename of ours changes nothing in other notes but the targets of their links,
 * and may touch thousands.
 */
export function setToLookAt({ plan, source }: ProposedCall): ChangeSet | undefined {
  if (plan?.impact === undefined || source !== 'built-in') return plan?.changes
  return { ...plan.changes, changes: plan.changes.changes.filter(({ kind }) => kind === 'move') }
}

function textAfter(change: Exclude<Change, { kind: 'move' | 'trash' }>, before: string): string {
  return change.kind === 'append' ? before + decodeNote(change.added).text : decodeNote(change.after).text
}

async function unchanged(path: NotePath, vault: Pick<ReadableVault, 'read'>): Promise<ChangedText> {
  try {
    const text = (await vault.read(path))?.text
    return { path, ...(text !== undefined && { before: text }), after: text ?? '' }
  } catch (error) {
    // Too large to be read, or not text: whatever is written there counts as new.
    if (error instanceof Failure) return { path, after: '' }
    throw error
  }
}
