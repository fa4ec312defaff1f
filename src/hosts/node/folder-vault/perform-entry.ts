import { Failure } from '../../../core/errors.js'
import type { JournalEntry, JournalStep, NotePath } from '../../../core/vault/index.js'
import type { FileStat } from '../files/index.js'
import type { IntentNotes, Journal } from '../journal/index.js'
import { EntryFiles } from './entry-files.js'
import { isRespelling, type StepState, stepState } from './step-state.js'
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
  await target.prepare(
    [...after].map(([step, bytes]) => ({ path: entry.steps[step].path, step, bytes, mode: notes.modes[step] })),
  )
  await commitSteps(target, entry, [...entry.steps.keys()], begun, (step, now) => {
    const then = seen.get(step.path)
    return (then !== undefined && isSame(now, then)) || hasBase(target, step, now)
  })
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
  for (const index of indexes) {
    const step = entry.steps[index]
    const check = (now: FileStat) => isUnchanged(step, now)
    begun.add(index)
    if (step.kind === 'write' && step.before === null) await target.place(step.path, index)
    else if (step.kind === 'write') await target.replace(step.path, index, check)
    else if (step.kind === 'rename' && isRespelling(step)) await target.respell(step.path, step.to, check)
    else if (step.kind === 'rename') await target.secondName(step.path, step.to, check)
    await pause()
  }
  await target.syncFolders()
  for (const index of indexes) {
    const step = entry.steps[index]
    if (step.kind === 'remove') await target.remove(step.path, index, (now) => isUnchanged(step, now))
    else if (step.kind === 'rename' && !isRespelling(step)) await target.dropFirstName(step.path, step.to)
    await pause()
  }
  await target.removeEmptyFolders(entry.emptied)
  await target.syncFolders()
}

/**
 * Takes back what was done of an entry. Files that someone else has changed since are left as they are; their paths
 * are the answer. Without `begun` (after a crash) the disk itself tells what was done.
 */
export async function rollBackEntry(work: EntryWork, begun?: Set<number>): Promise<NotePath[]> {
  const { entry, notes } = work
  const target = new EntryFiles(work.folders, notes.temporary)
  const left: NotePath[] = []
  const goes: [NotePath, () => Promise<void>][] = []
  await bringBackFolders(target, entry)
  for (const [index, step] of entry.steps.entries()) {
    if (begun !== undefined && !begun.has(index)) continue
    const state = await stepState(target, step, index)
    if (state === 'ready' || state === 'pending') continue
    if (step.kind === 'write' && step.before === null && state === 'done') {
      const isOurs = (now: FileStat) => target.isHash(step.path, now, step.after)
      goes.push([step.path, () => target.remove(step.path, index, isOurs)])
    } else if (state === 'foreign' || !(await withoutConflict(() => bringBack(target, work, index, state)))) {
      left.push(step.path)
    } else if (step.kind === 'rename' && !isRespelling(step)) {
      goes.push([step.to, () => target.dropFirstName(step.to, step.path)])
    }
  }
  await target.syncFolders()
  for (const [path, goAway] of goes) if (!(await withoutConflict(goAway))) left.push(path)
  await cleanUp(target, entry)
  await target.removeEmptyFolders(entry.folders)
  await target.syncFolders()
  return left
}

/** After a crash: finishes an entry if every step is done or ready, takes it back otherwise. */
export async function recoverEntry(work: EntryWork): Promise<'finished' | 'rolled-back'> {
  const { entry, notes, journal } = work
  const target = new EntryFiles(work.folders, notes.temporary)
  const undone: number[] = []
  let canFinish = true
  // Before-images are synced together with the intent; only what came after them proves that they are there.
  let hasBegun = false
  for (const [index, step] of entry.steps.entries()) {
    // Names from before the crash may not have been synced.
    target.touch(step)
    const state = await stepState(target, step, index)
    if (state === 'done' || state === 'half' || step.kind === 'write') hasBegun = true
    if (state === 'ready' || state === 'half') undone.push(index)
    else if (state !== 'done') canFinish = false
  }
  const finish = async () => {
    for (const folder of entry.folders) await target.makeFolder(folder)
    await commitSteps(target, entry, undone, new Set(), (step, now) => hasBase(target, step, now))
  }
  if (canFinish && hasBegun && (await withoutConflict(finish))) {
    await cleanUp(target, entry)
    await target.syncFolders()
    await journal.finish(entry.sequence)
    return 'finished'
  }
  const left = await rollBackEntry(work)
  const reason = left.length === 0 ? 'interrupted' : `interrupted; changed by others and left alone: ${left.join(', ')}`
  await journal.rollBack(entry.sequence, reason)
  return 'rolled-back'
}

/** Puts back what a step has taken away or replaced. False when the before-image is lost from the journal. */
async function bringBack(target: EntryFiles, work: EntryWork, index: number, state: StepState): Promise<boolean> {
  const step = work.entry.steps[index]
  if (step.kind === 'rename') {
    if (isRespelling(step)) await target.respell(step.to, step.path)
    else if (state === 'done') await target.secondName(step.to, step.path)
    return true
  }
  const before = await work.journal.image(work.entry.sequence, step.before!)
  if (before === undefined) return false
  await target.removeTemporary(step.path, index)
  await target.prepare([{ path: step.path, step: index, bytes: before, mode: work.notes.modes[index] }])
  if (step.kind === 'remove') await target.place(step.path, index)
  else await target.replace(step.path, index, (now) => target.isHash(step.path, now, step.after))
  return true
}

/** False when others are in the way, or `work` says so. A disk that fails still throws. */
async function withoutConflict(work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return false
    throw error
  }
}

// The last thing an entry does is to take away folders that it has emptied.
async function bringBackFolders(target: EntryFiles, entry: JournalEntry): Promise<void> {
  for (const folder of [...entry.emptied].sort((a, b) => a.length - b.length)) {
    const isNeeded = entry.steps.some((step) => step.path.startsWith(`${folder}/`))
    if (isNeeded && (await target.stat(folder as NotePath)) === undefined) await target.makeFolder(folder)
  }
}

async function cleanUp(target: EntryFiles, entry: JournalEntry): Promise<void> {
  for (const [index, step] of entry.steps.entries()) {
    if (step.kind !== 'rename') await target.removeTemporary(step.path, index)
  }
}

function isSame(now: FileStat, then: FileStat): boolean {
  return (
    now.identity === then.identity &&
    now.size === then.size &&
    now.mtimeMs === then.mtimeMs &&
    now.ctimeMs === then.ctimeMs
  )
}

function hasBase(target: EntryFiles, step: JournalStep, now: FileStat): Promise<boolean> | boolean {
  const wanted = step.kind === 'rename' ? step.hash : step.before
  return wanted === null ? now.kind === 'file' : target.isHash(step.path, now, wanted)
}
