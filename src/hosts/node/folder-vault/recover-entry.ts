import type { ContentHash } from '../../../core/vault/index.js'
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
  const image = (hash: ContentHash) => journal.image(entry.sequence, hash)
  await journal.makeLast(entry.sequence)
  const states: StepState[] = []
  for (const [index, step] of entry.steps.entries()) states.push(await stepState(target, step, index))
  // An entry ends when no note has two names any more: where one has, the row that cannot be read was not its end.
  if (journal.isEndDamaged(entry.sequence) && !states.includes('half')) return judgeEntry(target, work, states)

  if (await isUntouched(work, states)) {
    await target.removeTemporaries(entry, image)
    return journal.rollBack(entry.sequence, 'interrupted')
  }
  const isGoingBack = journal.entries.get(entry.sequence)?.isGoingBack === true
  const isBegun =
    states.some((state) => state === 'after' || state === 'half') || (await wasBegun(target, work, states))
  if (
    isGoingBack ||
    !isBegun ||
    !canFinish(states) ||
    !(await ifNotInTheWay(() => finishEntry(target, work, states)))
  ) {
    await takeBackEntry(work, 'interrupted')
    return
  }
  await target.removeTemporaries(entry, image)
  await target.syncFolders()
  const undecided = [...states.keys()].filter((index) => isTheirs(states[index]))
  if (undecided.length === 0) await journal.finish(entry.sequence)
  else await journal.leaveUndecided(entry.sequence, 'finished', undecided)
}

/**
 * Images are made to last together with the intent, and before any note is touched. Where a power cut has taken some,
 * nothing had begun, and what others did to the notes has nothing to do with it.
 */
async function isUntouched({ entry, journal }: EntryWork, states: StepState[]): Promise<boolean> {
  const all = [...states.keys()]
  // What goes is taken away after all that comes is there. Until then a note that is gone was deleted by someone else.
  const coming = all.filter((index) => entry.steps[index].kind !== 'remove')
  const telling = coming.length > 0 ? coming : all
  if (telling.some((index) => states[index] === 'after' || states[index] === 'half')) return false
  return !(await journal.hasAllImages(entry.sequence))
}

/**
 * An entry may have ended long ago where the row that said so can no longer be read, and people have gone on from
 * there. So no note is touched: the disk tells how it went, and what does not fit is named.
 */
async function judgeEntry(target: EntryFiles, { entry, journal }: EntryWork, states: StepState[]): Promise<void> {
  const { sequence } = entry
  const image = (hash: ContentHash) => journal.image(sequence, hash)
  const isGoingBack = journal.entries.get(sequence)?.isGoingBack === true
  const wentBack = isGoingBack || !states.includes('after')
  const odd = [...states.keys()].filter((index) => states[index] !== (wentBack ? 'before' : 'after'))
  await target.removeTemporaries(entry, image)
  await target.syncFolders()
  if (odd.length > 0) await journal.leaveUndecided(sequence, wentBack ? 'taken-back' : 'finished', odd)
  else if (wentBack) await journal.rollBack(sequence, 'interrupted')
  else await journal.finish(sequence)
}

/**
 * Whether notes were put in their places although each of them was changed since. New bytes that still lie beside
 * their places tell: all were written before the first was put anywhere.
 */
async function wasBegun(target: EntryFiles, { entry }: EntryWork, states: StepState[]): Promise<boolean> {
  if (!states.includes('theirs-after')) return false
  let isAnyWaiting = false
  for (const [index, step] of entry.steps.entries()) {
    if (step.kind !== 'write' || states[index] !== 'before') continue
    if ((await target.seeNew(step.path, index))?.hash !== step.after) return false
    isAnyWaiting = true
  }
  return isAnyWaiting
}

/**
 * What was begun is finished, unless that would leave a note behind that someone has changed before its step was done:
 * a link in it would lead to where the others have left.
 */
function canFinish(states: StepState[]): boolean {
  if (states.includes('theirs-before')) return false
  return !states.includes('theirs') || states.includes('theirs-after')
}

/** False when the journal no longer has the bytes. */
async function finishEntry(target: EntryFiles, { entry, notes, journal }: EntryWork, states: StepState[]) {
  target.touchAll(entry)
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
