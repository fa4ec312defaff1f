import type { JournalEntry, JournalStep, NotePath } from '../../../core/vault/index.js'
import type { FileStat } from '../files/index.js'
import { EntryFiles } from './entry-files.js'
import { ifNotInTheWay } from './if-not-in-the-way.js'
import type { EntryWork } from './perform-entry.js'
import { isTheirs, type StepState, stepState } from './step-state.js'

/**
 * Takes back what was done of an entry, and says so in the journal before and after. The disk itself tells what was
 * done, so whoever is cut off here is followed by someone who goes on. Answers the steps whose notes someone else has
 * changed: they are left as they are, and the journal names them.
 */
export async function takeBackEntry(
  work: EntryWork,
  reason: string,
  /** Where it is known: the steps that were begun. The others are as they were, whoever has changed their notes. */
  begun?: ReadonlySet<number>,
): Promise<number[]> {
  const { entry, notes, journal } = work
  // Also where nothing was begun: the row behind may be read by the next start, and be lost to a power cut after it.
  if (journal.entries.get(entry.sequence)?.isGoingBack !== true) await journal.goBack(entry.sequence)
  const target = new EntryFiles(work.folders, notes.temporary)
  const undecided = await bringBackNotes(target, work, begun).finally(() => target.release())
  await target.removeTemporaries(entry, (hash) => journal.image(entry.sequence, hash))
  await target.removeEmptyFolders(entry.folders)
  await target.syncFolders()
  if (undecided.length === 0) await journal.rollBack(entry.sequence, reason)
  else await journal.leaveUndecided(entry.sequence, 'taken-back', undecided)
  return undecided
}

async function bringBackNotes(target: EntryFiles, work: EntryWork, begun?: ReadonlySet<number>): Promise<number[]> {
  const { entry } = work
  await bringBackFolders(target, entry)
  // What someone else has saved there, and stays, must last as well.
  target.touchAll(entry)
  const undecided = new Set<number>()
  const states = new Map<number, StepState>()
  for (const [index, step] of entry.steps.entries()) {
    if (begun !== undefined && !begun.has(index)) continue
    const state = await stepState(target, step, index)
    if (isTheirs(state)) undecided.add(index)
    else if (state !== 'before') states.set(index, state)
    // A second name of ours for what is theirs.
    if (isTheirs(state) && step.kind === 'rename') await ifNotInTheWay(() => target.dropFirstName(step.to, step.path))
  }
  for (const index of await prepareOldBytes(target, work, [...states.keys()])) {
    undecided.add(index)
    states.delete(index)
  }
  for (const [index, state] of states) {
    if (await ifNotInTheWay(() => bringBack(target, entry.steps[index], index, state))) continue
    undecided.add(index)
    states.delete(index)
  }
  await target.syncFolders()
  for (const index of states.keys()) {
    if (!(await ifNotInTheWay(() => takeAway(target, entry.steps[index], index)))) undecided.add(index)
  }
  return [...undecided].sort((a, b) => a - b)
}

/** Lays the bytes from the journal beside their places. Answers the steps where that cannot be done. */
async function prepareOldBytes(target: EntryFiles, work: EntryWork, indexes: number[]): Promise<number[]> {
  const { entry, notes, journal } = work
  return target.prepare(
    'old',
    indexes.flatMap((index) => {
      const step = entry.steps[index]
      if (step.kind === 'rename' || step.before === null) return []
      const load = () => journal.image(entry.sequence, step.before!)
      return [{ path: step.path, step: index, load, mode: notes.modes[index] }]
    }),
  )
}

/** Puts back what a step has taken away or replaced. */
async function bringBack(target: EntryFiles, step: JournalStep, index: number, state: StepState): Promise<void> {
  if (step.kind === 'remove') return target.place('old', step.path, index)
  if (step.kind === 'write') {
    const isOurs = (now: FileStat) => target.isHash(step.path, now, step.after)
    return step.before === null ? undefined : target.replace('old', step.path, index, isOurs)
  }
  if (state === 'after') await target.secondName(step.to, step.path)
}

/** Takes away what a step has brought. */
async function takeAway(target: EntryFiles, step: JournalStep, index: number): Promise<void> {
  if (step.kind === 'write' && step.before === null) {
    await target.remove(step.path, index, (now) => target.isHash(step.path, now, step.after))
  } else if (step.kind === 'rename') {
    await target.dropFirstName(step.to, step.path)
  }
}

// The last thing an entry does is to take away folders that it has emptied.
async function bringBackFolders(target: EntryFiles, entry: JournalEntry): Promise<void> {
  for (const folder of [...entry.emptied].sort((a, b) => a.length - b.length)) {
    const isNeeded = entry.steps.some((step) => step.path.startsWith(`${folder}/`))
    if (!isNeeded || (await target.stat(folder as NotePath)) !== undefined) continue
    await ifNotInTheWay(() => target.makeFolder(folder))
  }
}
