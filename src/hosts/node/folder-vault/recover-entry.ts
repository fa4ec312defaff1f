import { EntryFiles } from './entry-files.js'
import { ifNotInTheWay } from './if-not-in-the-way.js'
import { commitSteps, type EntryWork, hasBase } from './perform-entry.js'
import { isTheirs, type StepState, stepState } from './step-state.js'
import { takeBackEntry } from './take-back-entry.js'

/**
 * After a crash: brings all notes of an entry to one side. Which one is decided anew by every start, from the disk and
 * the journal alone, until a rollback was begun; notes that someone else has changed since are left alone and named.
 */
export async function recoverEntry(work: EntryWork): Promise<void> {
  const { entry, notes, folders, journal } = work
  const target = new EntryFiles(folders, notes.temporary)
  const states: StepState[] = []
  for (const [index, step] of entry.steps.entries()) states.push(await stepState(target, step, index))

  const isGoingBack = journal.entries.get(entry.sequence)?.isGoingBack === true
  if (isGoingBack || !canFinish(states) || !(await ifNotInTheWay(() => finishEntry(target, work, states)))) {
    await takeBackEntry(work, 'interrupted')
    return
  }
  await target.removeTemporaries(entry.steps)
  await target.syncFolders()
  const undecided = [...states.keys()].filter((index) => isTheirs(states[index]))
  if (undecided.length === 0) await journal.finish(entry.sequence)
  else await journal.leaveUndecided(entry.sequence, 'finished', undecided)
}

/**
 * An entry of which nothing was done is not begun now. Otherwise it is finished, unless that would leave a note behind
 * that someone has changed before its step was done: a link in it would lead to where the others have left.
 */
function canFinish(states: StepState[]): boolean {
  if (!states.some((state) => state === 'after' || state === 'half')) return false
  if (states.includes('theirs-before')) return false
  return !states.includes('theirs') || states.includes('theirs-after')
}

/** False when the journal no longer has the bytes. */
async function finishEntry(target: EntryFiles, { entry, notes, journal }: EntryWork, states: StepState[]) {
  // Names from before the crash may not have been synced.
  for (const step of entry.steps) target.touch(step)
  const undone = [...states.keys()].filter((index) => states[index] === 'before' || states[index] === 'half')
  for (const folder of entry.folders) await target.makeFolder(folder)
  const lost = await target.prepare(
    'new',
    undone.flatMap((index) => {
      const step = entry.steps[index]
      if (step.kind !== 'write') return []
      const load = () => journal.image(entry.sequence, step.after)
      return [{ path: step.path, step: index, load, mode: notes.modes[index] }]
    }),
  )
  if (lost.length > 0) return false
  const begun = new Set<number>()
  await commitSteps(target, entry, undone, begun, (step, now) =>
    step.kind === 'rename' && step.trash === undefined ? now.kind === 'file' : hasBase(target, step, now),
  ).finally(() => target.release())
}
