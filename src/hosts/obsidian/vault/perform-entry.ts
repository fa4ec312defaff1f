import { Failure } from '../../../core/errors.js'
import { type ContentHash, foldPath, type JournalEntry, type JournalStep } from '../../../core/vault/index.js'
import type { Journal } from '../journal.js'
import { stepState } from './step-state.js'
import { changedMeanwhile, type VaultFiles } from './vault-files.js'

export interface EntryWork {
  entry: JournalEntry
  files: VaultFiles
  journal: Journal
}

/** What comes is written before what goes is taken away, so that no moment finds a moved note in neither place. */
export async function performSteps(
  { entry, files, journal }: EntryWork,
  indexes: readonly number[],
  begun: Set<number>,
  /** Steps whose file goes where Obsidian puts what is deleted; what else is removed stays in the journal alone. */
  isTrashed: (index: number) => boolean,
): Promise<void> {
  for (const folder of entry.folders) await files.makeFolder(folder)
  const isGoing = (index: number) => entry.steps[index].kind === 'remove'
  const ordered = [...indexes.filter((index) => !isGoing(index)), ...indexes.filter(isGoing)]
  for (const index of ordered) {
    const step = entry.steps[index]
    begun.add(index)
    try {
      if (step.kind === 'remove' && isTrashed(index)) await files.trash(step.path, step.before)
      else await performStep(step, entry, files, journal)
    } catch (error) {
      // Whoever was faster has kept what is theirs, and nothing of the step was done.
      if (error instanceof Failure && error.code === 'conflict') begun.delete(index)
      throw error
    }
  }
  for (const folder of [...entry.emptied].sort((a, b) => b.length - a.length)) await files.removeIfEmpty(folder)
}

async function performStep(step: JournalStep, entry: JournalEntry, files: VaultFiles, journal: Journal): Promise<void> {
  if (step.kind === 'remove') return files.remove(step.path, step.before)
  if (step.kind === 'rename') {
    if (step.hash !== null && (await files.read(step.path))?.hash !== step.hash) throw changedMeanwhile(step.path)
    return files.rename(step.path, step.to)
  }
  const after = await imageOf(step.after, journal)
  if ((await stepState(step, files, journal)) === 'torn') return rewrite(step.path, after, files)
  const respelled = step.before === null ? respelledFrom(step, entry) : undefined
  if (respelled !== undefined && (await stepState(respelled, files, journal)) === 'before') {
    // Two spellings of one name cannot stand side by side everywhere.
    await files.rename(respelled.path, step.path)
    await files.replace(step.path, respelled.before, after)
  } else if (step.before === null) await files.create(step.path, after)
  else await files.replace(step.path, step.before, after)
}

/** The note that is written under another spelling of its name, and goes under the old one. */
function respelledFrom({ path }: JournalStep, { steps }: JournalEntry) {
  return steps.filter((step) => step.kind === 'remove').find((step) => foldPath(step.path) === foldPath(path))
}

/** Brings back what was there before: the steps that were begun, or all after a crash. Answers those that are others' now. */
export async function takeBackEntry(work: EntryWork, reason: string, begun?: ReadonlySet<number>): Promise<number[]> {
  const { entry, files, journal } = work
  const { sequence } = entry
  await journal.add({ row: 'rolling-back', sequence })
  const undecided: number[] = []
  for (const [index, step] of [...entry.steps.entries()].reverse()) {
    if (begun !== undefined && !begun.has(index)) continue
    const state = await stepState(step, files, journal)
    if (state === 'theirs') undecided.unshift(index)
    else if (state !== 'before') await takeBackStep(step, files, journal)
  }
  for (const folder of [...entry.folders].reverse()) await files.removeIfEmpty(folder)
  if (undecided.length === 0) await journal.add({ row: 'rolled-back', sequence, reason })
  else await journal.add({ row: 'undecided', sequence, went: 'taken-back', steps: undecided })
  return undecided
}

async function takeBackStep(step: JournalStep, files: VaultFiles, journal: Journal): Promise<void> {
  if (step.kind === 'rename') return files.rename(step.to, step.path)
  if (step.kind === 'remove') return files.create(step.path, await imageOf(step.before, journal))
  if (step.before === null) return files.remove(step.path, null)
  await rewrite(step.path, await imageOf(step.before, journal), files)
}

/** Over our own bytes, whole or torn. */
async function rewrite(path: JournalStep['path'], bytes: Uint8Array, files: VaultFiles): Promise<void> {
  const current = await files.read(path)
  if (current === undefined) await files.create(path, bytes)
  else await files.replace(path, current.hash, bytes)
}

async function imageOf(hash: ContentHash, journal: Journal): Promise<Uint8Array> {
  const bytes = await journal.image(hash)
  if (bytes === undefined) throw new Error('The journal has lost what a note held.')
  return bytes
}

/** After a crash: brings all notes of an entry to one side. What someone else has changed since is left alone and named. */
export async function recoverEntry(work: EntryWork): Promise<void> {
  const { entry, files, journal } = work
  const { sequence } = entry
  const states = await Promise.all(entry.steps.map((step) => stepState(step, files, journal)))
  const at = (...wanted: string[]) => [...states.keys()].filter((index) => wanted.includes(states[index]))
  const isBegun = at('after', 'torn').length > 0
  const left = at('before', 'torn')
  const theirs = at('theirs')
  const isGoingBack = journal.entries.get(sequence)?.isGoingBack === true
  if (isGoingBack || !isBegun || (theirs.length > 0 && left.length > 0)) {
    await takeBackEntry(work, 'interrupted')
    return
  }
  // Where a note was to go is not known any more: where Obsidian puts what is deleted, nothing is lost.
  await performSteps(work, left, new Set(), () => true)
  if (theirs.length === 0) await journal.add({ row: 'done', sequence })
  else await journal.add({ row: 'undecided', sequence, went: 'finished', steps: theirs })
}
