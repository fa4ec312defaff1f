import { foldPath, type JournalStep } from '../../../core/vault/index.js'
import type { EntryFiles } from './entry-files.js'

/**
 * How far a step got, told by the disk. `ready`: not done, and can be. `pending`: not done, and its new bytes are
 * not there. `half`: a move whose note has both names. `foreign`: someone else has been here.
 */
export type StepState = 'done' | 'half' | 'ready' | 'pending' | 'foreign'

export async function stepState(target: EntryFiles, step: JournalStep, index: number): Promise<StepState> {
  if (step.kind === 'rename') return renameState(target, step)
  const now = await target.see(step.path)
  if (step.kind === 'remove') {
    if (now === undefined) return 'done'
    return now.hash === step.before ? 'ready' : 'foreign'
  }
  const prepared = await target.seeTemporary(step.path, index)
  const isPlaced = prepared === undefined || prepared.stat.identity === now?.stat.identity
  if (now?.hash === step.after && isPlaced) return 'done'
  if ((now?.hash ?? null) !== step.before) return 'foreign'
  return prepared?.hash === step.after ? 'ready' : 'pending'
}

/** A move that changes only how the same name is written. */
export function isRespelling(step: JournalStep & { kind: 'rename' }): boolean {
  return foldPath(step.path) === foldPath(step.to)
}

async function renameState(target: EntryFiles, step: JournalStep & { kind: 'rename' }): Promise<StepState> {
  const [old, moved] = [await target.stat(step.path), await target.stat(step.to)]
  if (old === undefined) return moved === undefined ? 'foreign' : 'done'
  if (moved === undefined) return 'ready'
  return old.identity === moved.identity ? 'half' : 'foreign'
}
