import type { JournalEntry, JournalStep, NotePath } from '../../../core/vault/index.js'
import type { FileStat } from '../files/index.js'
import type { IntentNotes, Journal } from '../journal/index.js'
import { EntryFiles } from './entry-files.js'
import { changedMeanwhile } from './file-moves.js'
import { isConflict } from './if-not-in-the-way.js'
import type { VaultFolders } from './vault-folders.js'
import { yieldToHost } from './yield-to-host.js'

/** An entry whose intent is in the journal, and what is needed to carry it out. */
export interface EntryWork {
  entry: JournalEntry
  notes: IntentNotes
  folders: VaultFolders
  journal: Journal
}

/** Carries out an entry: all new bytes first, beside their places, then the places. */
export async function performEntry(
  work: EntryWork,
  after: Map<number, Uint8Array>,
  /** What each file looked like when its bytes were checked. */
  seen: Map<NotePath, FileStat>,
  /** Filled with the steps that were begun, for a rollback to know. */
  begun: Set<number>,
): Promise<void> {
  const { entry, notes } = work
  const target = new EntryFiles(work.folders, notes.temporary)
  for (const folder of entry.folders) await target.makeFolder(folder)
  const [missing] = await target.prepare(
    'new',
    [...after].map(([step, bytes]) => ({
      path: entry.steps[step].path,
      step,
      load: () => bytes,
      mode: notes.modes[step],
    })),
  )
  if (missing !== undefined) throw changedMeanwhile(entry.steps[missing].path)
  await commitSteps(target, entry, [...entry.steps.keys()], begun, (step, now) => {
    const then = seen.get(step.path)
    return (then !== undefined && isSame(now, then)) || hasBase(target, step, now)
  }).finally(() => target.release())
}

/**
 * What comes is made to last before what goes is taken away, so that no moment of a crash or a power cut finds a
 * moved note in neither place.
 */
export async function commitSteps(
  target: EntryFiles,
  entry: JournalEntry,
  indexes: number[],
  begun: Set<number>,
  isUnchanged: (step: JournalStep, now: FileStat) => Promise<boolean> | boolean,
): Promise<void> {
  const pause = yieldToHost()
  // Someone else who was faster has kept what is theirs, and nothing of the step was done.
  const unlessInTheWay = async (index: number, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (isConflict(error)) begun.delete(index)
      throw error
    }
  }
  for (const index of indexes) {
    begun.add(index)
    await unlessInTheWay(index, () => bring(target, entry.steps[index], index, isUnchanged))
    await pause()
  }
  await target.syncFolders()
  for (const index of indexes) {
    const step = entry.steps[index]
    if (step.kind === 'remove')
      await unlessInTheWay(index, () => target.remove(step.path, index, (now) => isUnchanged(step, now)))
    else if (step.kind === 'rename') await target.dropFirstName(step.path, step.to)
    await pause()
  }
  await target.removeEmptyFolders(entry.emptied)
  await target.syncFolders()
}

async function bring(
  target: EntryFiles,
  step: JournalStep,
  index: number,
  isUnchanged: (step: JournalStep, now: FileStat) => Promise<boolean> | boolean,
): Promise<void> {
  const check = (now: FileStat) => isUnchanged(step, now)
  if (step.kind === 'write' && step.before === null) await target.place('new', step.path, index)
  else if (step.kind === 'write') await target.replace('new', step.path, index, check)
  else if (step.kind === 'rename') await target.secondName(step.path, step.to, check)
}

/** Whether what is there is what the step was planned from. */
export function hasBase(target: EntryFiles, step: JournalStep, now: FileStat): Promise<boolean> | boolean {
  const wanted = step.kind === 'rename' ? step.hash : step.before
  return wanted === null ? now.kind === 'file' : target.isHash(step.path, now, wanted)
}

function isSame(now: FileStat, then: FileStat): boolean {
  return (
    now.identity === then.identity &&
    now.size === then.size &&
    now.mtimeMs === then.mtimeMs &&
    now.ctimeMs === then.ctimeMs
  )
}
