import type { JournalStep } from '../../../core/vault/index.js'
import type { EntryFiles } from './entry-files.js'

/**
 * Where a step stands, told by the disk and the journal's hashes alone. `half`: a move whose note has both names.
 * The others are someone else's work, which is never touched: `theirs-before` lies over what was there before the step,
 * so that nothing is missing when the entry is taken back; `theirs-after` over what the step has made; of `theirs`
 * nobody can tell.
 */
export type StepState = 'before' | 'after' | 'half' | 'theirs-before' | 'theirs-after' | 'theirs'

export async function stepState(target: EntryFiles, step: JournalStep, index: number): Promise<StepState> {
  if (step.kind === 'rename') return renameState(target, step)
  const now = await target.see(step.path)
  const after = step.kind === 'write' ? step.after : null
  if ((now?.hash ?? null) === step.before) return 'before'
  if ((now?.hash ?? null) === after) return 'after'
  if (step.kind === 'remove') return 'theirs'
  // Putting a note in its place uses the file with its new bytes up: where that still lies beside it, whole or not,
  // the note was never put there.
  const beside = await target.seeNew(step.path, index)
  return beside !== undefined && beside.stat.identity !== now?.stat.identity ? 'theirs-before' : 'theirs-after'
}

/** Someone else has been here. */
export function isTheirs(state: StepState): boolean {
  return state.startsWith('theirs')
}

/** A move takes along whatever its note says by now; what goes to the trash must be what was meant to. */
async function renameState(target: EntryFiles, step: JournalStep & { kind: 'rename' }): Promise<StepState> {
  const [old, moved] = [await target.stat(step.path), await target.stat(step.to)]
  if (old === undefined) return moved === undefined ? 'theirs' : 'after'
  const isHalf = moved !== undefined && old.identity === moved.identity
  if (step.trash === undefined && (isHalf || moved === undefined)) return isHalf ? 'half' : 'before'
  if (step.hash === null) return 'theirs'
  const isOld = await target.isHash(step.path, old, step.hash)
  if (isHalf && isOld) return 'half'
  if (isHalf || moved === undefined) return isOld ? 'before' : 'theirs-before'
  if (isOld) return 'theirs-before'
  return (await target.isHash(step.to, moved, step.hash)) ? 'theirs-after' : 'theirs'
}
