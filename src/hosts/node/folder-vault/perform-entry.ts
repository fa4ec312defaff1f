import { Failure } from '../../../core/errors.js'
import {
  type ContentHash,
  foldPath,
  type JournalEntry,
  type JournalStep,
  type NotePath,
} from '../../../core/vault/index.js'
import type { FileStat } from '../files/index.js'
import type { IntentNotes, Journal } from '../journal/index.js'
import { breather } from './breathe.js'
import { EntryFiles, type SeenFile } from './entry-files.js'
import type { VaultFolders } from './vault-folders.js'

/** An entry whose intent is in the journal, and what is needed to carry it out. */
export interface EntryWork {
  entry: JournalEntry
  notes: IntentNotes
  folders: VaultFolders
  journal: Journal
}

/** Carries out an entry: all new bytes first, beside their places; then the places, one by one; then the folders. */
export async function performEntry(
  work: EntryWork,
  after: Map<number, Uint8Array>,
  /** What each file looked like when its bytes were checked. */
  seen: Map<NotePath, FileStat>,
  /** Steps that were begun, for a rollback to know. */
  begun: Set<number>,
): Promise<void> {
  const { entry, notes } = work
  const target = new EntryFiles(work.folders, notes.temporary)
  const breathe = breather()
  for (const folder of entry.folders) await target.makeFolder(folder)
  for (const [index, bytes] of after) {
    await target.prepare(entry.steps[index].path, index, bytes, notes.modes[index])
    await breathe()
  }
  for (const [index, step] of inOrder(entry.steps)) {
    const check = (now: FileStat) => isSame(now, seen.get(step.path)!) || hasHash(target, step, now)
    begun.add(index)
    await commitStep(target, step, index, check)
    await breathe()
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
  await bringBackFolders(target, entry)
  for (const [index, step] of inOrder(entry.steps).reverse()) {
    if (begun !== undefined && !begun.has(index)) continue
    const state = await stepState(target, step, index)
    const isLeft =
      state === 'foreign' || ((state === 'done' || state === 'half') && !(await takeBack(target, work, index)))
    if (isLeft) left.push(step.path)
  }
  await cleanUp(target, entry)
  await target.removeEmptyFolders(entry.folders)
  await target.syncFolders()
  return left
}

/** After a crash: finishes an entry if every step is done or ready, takes it back otherwise. */
export async function recoverEntry(work: EntryWork): Promise<'finished' | 'rolled-back'> {
  const { entry, notes, journal } = work
  const target = new EntryFiles(work.folders, notes.temporary)
  const states: StepState[] = []
  for (const [index, step] of entry.steps.entries()) states.push(await stepState(target, step, index))

  if (states.every((state) => state === 'done' || state === 'half' || state === 'ready')) {
    for (const [index, step] of inOrder(entry.steps)) {
      if (states[index] === 'half') await finishHalf(target, step)
      if (states[index] === 'ready') await commitStep(target, step, index, (now) => hasHash(target, step, now))
    }
    await cleanUp(target, entry)
    await target.removeEmptyFolders(entry.emptied)
    // Names from before the crash may not have been synced either.
    for (const step of entry.steps) target.touch(step)
    await target.syncFolders()
    await journal.finish(entry.sequence)
    return 'finished'
  }
  const left = await rollBackEntry(work)
  const reason = left.length === 0 ? 'interrupted' : `interrupted; changed by others and left alone: ${left.join(', ')}`
  await journal.rollBack(entry.sequence, reason)
  return 'rolled-back'
}

/** `ready`: not done, and can be. `pending`: not done, and cannot be finished. `half`: both names of a move are there. */
type StepState = 'done' | 'half' | 'ready' | 'pending' | 'foreign'

async function stepState(target: EntryFiles, step: JournalStep, index: number): Promise<StepState> {
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

async function renameState(target: EntryFiles, step: JournalStep & { kind: 'rename' }): Promise<StepState> {
  const [old, moved] = [await target.stat(step.path), await target.stat(step.to)]
  if (old === undefined) return moved === undefined ? 'foreign' : 'done'
  if (moved === undefined) return 'ready'
  return old.identity === moved.identity ? 'half' : 'foreign'
}

async function commitStep(
  target: EntryFiles,
  step: JournalStep,
  index: number,
  isUnchanged: (now: FileStat) => Promise<boolean> | boolean,
): Promise<void> {
  if (step.kind === 'write') {
    if (step.before === null) await target.place(step.path, index)
    else await target.replace(step.path, index, isUnchanged)
  } else if (step.kind === 'remove') await target.remove(step.path, isUnchanged)
  else await target.rename(step.path, step.to, isUnchanged)
}

/** False when it cannot be taken back without touching what others have done, or when the before-image is lost. */
async function takeBack(target: EntryFiles, work: EntryWork, index: number): Promise<boolean> {
  const step = work.entry.steps[index]
  try {
    if (step.kind === 'rename') await takeBackRename(target, step)
    else if (step.kind === 'write' && step.before === null) await target.remove(step.path)
    else {
      const before = await work.journal.image(work.entry.sequence, step.before!)
      if (before === undefined) return false
      await target.removeTemporary(step.path, index)
      await target.prepare(step.path, index, before, work.notes.modes[index])
      if (step.kind === 'remove') await target.place(step.path, index)
      else await target.replace(step.path, index, (now) => isHash(target, step.path, now, step.after))
    }
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return false
    throw error
  }
}

async function takeBackRename(target: EntryFiles, step: JournalStep & { kind: 'rename' }): Promise<void> {
  if (isRespelling(step) || (await target.stat(step.path)) === undefined) await target.rename(step.to, step.path)
  else await target.remove(step.to)
}

// The last thing an entry does is to take away folders that it has emptied.
async function bringBackFolders(target: EntryFiles, entry: JournalEntry): Promise<void> {
  for (const folder of [...entry.emptied].sort((a, b) => a.length - b.length)) {
    const isNeeded = entry.steps.some((step) => step.path.startsWith(`${folder}/`))
    if (isNeeded && (await target.stat(folder as NotePath)) === undefined) await target.makeFolder(folder)
  }
}

async function finishHalf(target: EntryFiles, step: JournalStep): Promise<void> {
  if (step.kind !== 'rename') return
  if (isRespelling(step)) await target.rename(step.path, step.to)
  else await target.remove(step.path)
}

async function cleanUp(target: EntryFiles, entry: JournalEntry): Promise<void> {
  for (const [index, step] of entry.steps.entries()) {
    if (step.kind !== 'rename') await target.removeTemporary(step.path, index)
  }
}

// Removals first: where a name only changes its spelling, the old one must be gone before the new one comes.
function inOrder(steps: JournalStep[]): [number, JournalStep][] {
  const numbered = [...steps.entries()]
  const isRemoval = ([, step]: [number, JournalStep]) => step.kind === 'remove'
  return [...numbered.filter(isRemoval), ...numbered.filter((item) => !isRemoval(item))]
}

function isRespelling(step: JournalStep & { kind: 'rename' }): boolean {
  return foldPath(step.path) === foldPath(step.to)
}

function isSame(now: FileStat, then: FileStat): boolean {
  return (
    now.identity === then.identity &&
    now.size === then.size &&
    now.mtimeMs === then.mtimeMs &&
    now.ctimeMs === then.ctimeMs
  )
}

function hasHash(target: EntryFiles, step: JournalStep, now: FileStat): Promise<boolean> | boolean {
  const wanted = step.kind === 'rename' ? step.hash : step.before
  return wanted === null ? now.kind === 'file' : isHash(target, step.path, now, wanted)
}

async function isHash(target: EntryFiles, path: NotePath, now: FileStat, wanted: ContentHash): Promise<boolean> {
  if (now.kind !== 'file') return false
  const seen: SeenFile | undefined = await target.see(path)
  return seen?.hash === wanted
}
