import { Failure } from '../errors.js'
import type { AppliedChangeSet, ChangeSet, ContentHash } from './change-set.js'
import type { JournalEntry, JournalRow, JournalStep, RecordedEntry } from './journal.js'
import type { NotePath } from './note-path.js'
import { folderOf } from './note-path.js'
import type { StagedStep, Staging } from './stage-changes.js'
import { journalSteps, stageChanges } from './stage-changes.js'
import { alreadyApplied, changedConflict, StepConflict } from './vault-failures.js'

// `!` is used on steps of an entry by their index, and on paths of steps that go to the trash, which its plan lists.

// Applies change sets so that a crash at any moment can be finished or rolled back by the next start. A host provides
// its files and a journal; the sequence, and the decision which way an interrupted entry goes, is the same everywhere.

/** A host's notes and the journal of their changes. */
export interface ChangeHost<Survey extends ChangeSurvey = ChangeSurvey> {
  readonly journal: ChangeJournal
  now: () => number
  /** Inspects the notes of a change set. Nothing is written. */
  survey(set: ChangeSet): Promise<Survey>
  /**
   * The files of an entry whose intent is in the journal, opened before a rollback of it is recorded. Without a survey,
   * another process may have begun it.
   */
  filesOf(entry: JournalEntry, survey?: Survey): EntryFiles
  /** Turns an error of this host into a failure that ends with `outcome`. */
  asFailure(error: unknown, outcome: string): unknown
  /** Follows the names of notes that a rollback has left alone: how a user decides about them, and a full stop. */
  readonly decideHint: string
}

/** The state of the notes for one change set. */
export interface ChangeSurvey extends Staging {
  /** Throws for steps that this host refuses. */
  check?(steps: readonly StagedStep[]): Promise<void>
  /** Decides where deleted notes go. */
  planTrash(steps: StagedStep[], time: number): Promise<TrashPlan>
  /** Writes the intent and all images it needs to the journal, durably. Only then may a file be touched. */
  begin(entry: Omit<JournalEntry, 'sequence'>, steps: readonly StagedStep[]): Promise<JournalEntry>
}

export interface TrashPlan {
  /** The steps to perform. A note that does not go to the vault's own trash is a `remove` here. */
  steps: StagedStep[]
  /** The path in the vault's own trash, by the path of the note that goes there. */
  paths: ReadonlyMap<NotePath, NotePath>
  /** Nothing was deleted after all: takes copies out of a trash outside the vault. */
  withdraw?(): Promise<void>
}

export interface ChangeJournal {
  readonly entries: Map<number, RecordedEntry>
  add(row: Exclude<JournalRow, { row: 'intent' }>): Promise<void>
  /** The bytes of a note before or after an entry, checked against their hash; undefined when they are gone or damaged. */
  image(sequence: number, hash: ContentHash): Promise<Uint8Array | undefined>
  prune(): Promise<unknown>
  /** Makes an intent durable that another process wrote; it may have died before that. */
  syncEntry?(sequence: number): Promise<void>
  /** False where a power cut has taken images of an entry. */
  hasAllImages?(sequence: number): Promise<boolean>
  /** True if an unreadable row that was once complete follows the rows of the newest entry. */
  isEndDamaged?(sequence: number): boolean
}

/**
 * File operations of one entry. A move that finds a file in an unexpected state throws a `conflict` and leaves that
 * file alone. Hosts omit methods they do not need (temporary files, syncing).
 */
export interface EntryFiles {
  stateOf(step: JournalStep, index: number): Promise<StepState>
  /** Makes a folder unless it is there. */
  makeFolder(path: string): Promise<void>
  /** Gets the bytes of writes ready. Returns the indexes of those that have no bytes or no folder. */
  prepare(writes: readonly PreparedWrite[]): Promise<number[]>
  /** True if the new bytes of a write were prepared and not put in place yet. */
  isPrepared?(step: JournalStep & { kind: 'write' }, index: number): Promise<boolean>
  /** Puts a step's file in place; of a rename at least the second name, of a removal nothing. */
  bring(move: StepMove): Promise<void>
  /** Removes the rest of a step at its old path. */
  takeAway(move: StepMove): Promise<void>
  /** Deepest first; a folder that is not empty, or not there, stays as it is. */
  removeEmptyFolders(paths: readonly string[]): Promise<void>
  /** Makes everything done so far survive a power cut. */
  sync?(): Promise<void>
  /** Lets the next `sync` cover all folders of the entry: changes from before a crash may not have been synced. */
  includeAllFolders?(): void
  /** Removes this entry's temporary files, except those with bytes that exist nowhere else. */
  removeTemporaries?(): Promise<void>
  /** Closes open handles. */
  close?(): Promise<void>
}

export interface PreparedWrite extends StepMove {
  path: NotePath
  load: () => Promise<Uint8Array | undefined> | Uint8Array
}

/** A step to perform. To roll one back, its inverse is performed. */
export interface StepMove {
  step: JournalStep
  index: number
  isRollback: boolean
}

/**
 * The progress of a step, judged from the files and the journal's hashes alone. `partial`: begun and not completed, such as a
 * renamed note that has both names, or bytes that were cut off. The others are someone else's work and never touched:
 * `foreign-before` replaces what was there before the step, so that nothing is missing after a rollback;
 * `foreign-after` replaces what the step has made; for `foreign` it is unknown which.
 */
export type StepState = 'before' | 'after' | 'partial' | 'foreign-before' | 'foreign-after' | 'foreign'

/**
 * Applies a change set: bases checked against the files, images and intent in the journal, then the files, then the done
 * row. On any error everything is rolled back before the error is thrown.
 */
export async function applyChanges(set: ChangeSet, host: ChangeHost): Promise<AppliedChangeSet> {
  const { journal } = host
  if ([...journal.entries.values()].some(({ entry }) => entry.id === set.id)) throw alreadyApplied(set)
  const survey = await host.survey(set)
  const time = host.now()
  const { steps: staged, applied } = await stageChanges(set, survey)
  const answer = { id: set.id, title: set.title, appliedAt: time, changes: applied }
  if (staged.length === 0 && set.resolves === undefined) return answer
  await survey.check?.(staged)

  let entry: JournalEntry | undefined
  let trash: TrashPlan | undefined
  const begun = new Set<number>()
  try {
    trash = await survey.planTrash(staged, time)
    const { steps, paths } = trash
    const entrySteps = journalSteps(steps, ({ path }) => paths.get(path)!, survey.hash)
    entry = await survey.begin(
      {
        id: set.id,
        time,
        title: set.title,
        session: set.session,
        changes: applied,
        steps: entrySteps,
        folders: await missingFolders(entrySteps, survey),
        emptied: [...(set.emptied ?? []), ...foldersOfUndone(set, journal)],
        undoes: set.undoes,
        settles: set.resolves,
      },
      steps,
    )
    await performEntry(host.filesOf(entry, survey), entry, steps, begun)
    await journal.add({ row: 'done', sequence: entry.sequence })
  } catch (error) {
    const outcome = entry === undefined ? unchanged : await rollBackFailed(entry, host, begun)
    if (outcome === unchanged) await trash?.withdraw?.()
    throw failureWith(error, outcome, host)
  }
  // The change is done and durable; a journal that is too large is pruned after the next one.
  await journal.prune().catch(() => undefined)
  return answer
}

/** Finishes or rolls back every entry that a crash has left open. Returns whether there was one. */
export async function recoverEntries(host: ChangeHost): Promise<boolean> {
  const open = [...host.journal.entries.values()].filter(({ state }) => state === 'open')
  for (const { entry } of open) await recoverEntry(entry, host)
  return open.length > 0
}

async function missingFolders(steps: readonly JournalStep[], { hasFolder }: ChangeSurvey): Promise<string[]> {
  const missing = new Set<string>()
  const checked = new Set<string>()
  const check = async (folder: string): Promise<void> => {
    if (folder === '' || checked.has(folder)) return
    checked.add(folder)
    await check(folderOf(folder))
    if (!(await hasFolder(folder))) missing.add(folder)
  }
  for (const step of steps) await check(folderOf(step.kind === 'rename' ? step.to : step.path))
  return [...missing]
}

/** Undoing all of an entry also removes the folders it made. */
function foldersOfUndone(set: ChangeSet, { entries }: ChangeJournal): string[] {
  return (set.undoes ?? []).flatMap(({ sequence, steps }) => {
    const undone = entries.get(sequence)
    const isAll = undone !== undefined && undone.undone.size + steps.length >= undone.entry.steps.length
    return isAll ? undone.entry.folders : []
  })
}

async function performEntry(
  files: EntryFiles,
  entry: JournalEntry,
  staged: readonly StagedStep[],
  begun: Set<number>,
): Promise<void> {
  for (const folder of entry.folders) await files.makeFolder(folder)
  const [missing] = await files.prepare(
    staged.flatMap((step, index) => {
      if (step.kind !== 'write') return []
      return [{ ...forward(entry, index), path: step.path, load: () => step.after }]
    }),
  )
  if (missing !== undefined) throw changedConflict(entry.steps[missing]!.path)
  await performSteps(files, entry, [...entry.steps.keys()], begun)
}

/**
 * Adds everything new before removing anything old, and syncs in between, so that after a crash or power cut a moved
 * note exists in at least one place.
 */
async function performSteps(
  files: EntryFiles,
  entry: JournalEntry,
  indexes: readonly number[],
  /** Filled with the steps that were begun, for a rollback. */
  begun: Set<number>,
): Promise<void> {
  // After a conflict the other program's file is untouched and nothing of the step was done.
  const orNotBegun = async (index: number, work: Promise<void>) => {
    try {
      await work
    } catch (error) {
      if (isConflict(error)) begun.delete(index)
      throw error
    }
  }
  try {
    for (const index of indexes) {
      begun.add(index)
      await orNotBegun(index, files.bring(forward(entry, index)))
    }
    await files.sync?.()
    for (const index of indexes) {
      const move = forward(entry, index)
      if (move.step.kind === 'remove') await orNotBegun(index, files.takeAway(move))
      else await files.takeAway(move)
    }
    await files.removeEmptyFolders(entry.emptied)
    await files.sync?.()
  } finally {
    await files.close?.()
  }
}

const unchanged = 'Nothing was changed.'

/** Rolls back after an error. Returns a sentence about the state of the notes. */
async function rollBackFailed(entry: JournalEntry, host: ChangeHost, begun: ReadonlySet<number>): Promise<string> {
  try {
    const undecided = await rollBackEntry(entry, host, 'failed', begun)
    if (undecided.length === 0) return unchanged
    const notes = undecided.map((index) => entry.steps[index]!.path).join(', ')
    return `The change was undone, except in notes that were edited in the meantime: ${notes}${host.decideHint}`
  } catch {
    // The error that led here is the one to report; the journal still has the entry as open.
    return 'The change is incomplete. The next start recovers it.'
  }
}

/** A conflict says that nothing was written; it must not where something is left of the change. */
function failureWith(error: unknown, outcome: string, host: ChangeHost): unknown {
  if (!(error instanceof Failure) || outcome === unchanged) return host.asFailure(error, outcome)
  const reason = error instanceof StepConflict ? error.reason : error.message
  return new Failure(error.code, `${reason} ${outcome}`, error.details)
}

/**
 * Rolls back what was done of an entry, with a row in the journal before and after. The files themselves show what was
 * done, so that the next start continues a rollback that was interrupted. Returns the steps whose notes someone else has
 * changed: these notes are left as they are, and the journal names them.
 */
async function rollBackEntry(
  entry: JournalEntry,
  host: ChangeHost,
  reason: string,
  /** The steps that were begun, if known. The others are unchanged by us, even if their notes have changed. */
  begun?: ReadonlySet<number>,
  /** Set when a later start ends an interrupted entry. */
  ended: { recoveredAt?: number } = {},
): Promise<number[]> {
  const { journal } = host
  const { sequence } = entry
  const files = host.filesOf(entry)
  // Also where nothing was begun: the next start may read the row after this one, which a power cut takes later.
  if (!isGoingBack(entry, journal)) await journal.add({ row: 'rolling-back', sequence })
  const undecided = await restoreNotes(files, entry, journal, begun).finally(() => files.close?.())
  await files.removeTemporaries?.()
  await files.removeEmptyFolders(entry.folders)
  await files.sync?.()
  if (undecided.length === 0) await journal.add({ row: 'rolled-back', sequence, reason, ...ended })
  else await journal.add({ row: 'undecided', sequence, went: 'taken-back', steps: undecided, ...ended })
  return undecided
}

async function restoreNotes(
  files: EntryFiles,
  entry: JournalEntry,
  journal: ChangeJournal,
  begun: ReadonlySet<number> | undefined,
): Promise<number[]> {
  await restoreFolders(files, entry)
  // Notes saved there by others, which stay, must be durable as well.
  files.includeAllFolders?.()
  const undecided = new Set<number>()
  const states = new Map<number, StepState>()
  for (const [index, step] of entry.steps.entries()) {
    if (begun !== undefined && !begun.has(index)) continue
    const state = await files.stateOf(step, index)
    if (isForeign(state)) undecided.add(index)
    else if (state !== 'before') states.set(index, state)
    // A second name of ours for a file that others have changed.
    if (isForeign(state) && step.kind === 'rename') await unlessConflict(() => files.takeAway(backward(entry, index)))
  }
  const unprepared = await files.prepare(
    [...states.keys()].flatMap((index) => {
      const move = backward(entry, index)
      return move.step.kind === 'write' ? [fromJournal(move, move.step, entry, journal)] : []
    }),
  )
  for (const index of unprepared) {
    undecided.add(index)
    states.delete(index)
  }
  for (const [index, state] of states) {
    // A note with both names needs no second one.
    if (state === 'partial' && entry.steps[index]!.kind === 'rename') continue
    if (await unlessConflict(() => files.bring(backward(entry, index)))) continue
    undecided.add(index)
    states.delete(index)
  }
  await files.sync?.()
  for (const index of states.keys()) {
    if (!(await unlessConflict(() => files.takeAway(backward(entry, index))))) undecided.add(index)
  }
  return [...undecided].sort((a, b) => a - b)
}

/** Removing the folders that it has emptied is the last thing an entry does. */
async function restoreFolders(files: EntryFiles, entry: JournalEntry): Promise<void> {
  for (const folder of [...entry.emptied].sort((a, b) => a.length - b.length)) {
    const isNeeded = entry.steps.some((step) => step.path.startsWith(`${folder}/`))
    if (isNeeded) await unlessConflict(() => files.makeFolder(folder))
  }
}

/**
 * After a crash: brings all notes of an entry to one side. Every start decides again which one, from the files and the
 * journal alone, until a rollback has begun; notes that someone else has changed since are left alone and named.
 */
async function recoverEntry(entry: JournalEntry, host: ChangeHost): Promise<void> {
  const { journal } = host
  const { sequence } = entry
  const recoveredAt = host.now()
  const files = host.filesOf(entry)
  await journal.syncEntry?.(sequence)
  const states: StepState[] = []
  for (const [index, step] of entry.steps.entries()) states.push(await files.stateOf(step, index))
  // An entry ends when no step is partial any more: where one is, the unreadable row was not its end.
  if (journal.isEndDamaged?.(sequence) && !states.includes('partial')) return recordEnd(files, entry, states, host)

  if (await isUntouched(entry, states, journal)) {
    await files.removeTemporaries?.()
    return journal.add({ row: 'rolled-back', sequence, reason: 'interrupted', recoveredAt })
  }
  const isBegun =
    states.some((state) => state === 'after' || state === 'partial') || (await wasBegun(files, entry, states))
  const finishes = !isGoingBack(entry, journal) && isBegun && canFinish(states)
  if (!finishes || !(await unlessConflict(() => finishEntry(files, entry, states, journal)))) {
    await rollBackEntry(entry, host, 'interrupted', undefined, { recoveredAt })
    return
  }
  await files.removeTemporaries?.()
  await files.sync?.()
  const undecided = [...states.keys()].filter((index) => isForeign(states[index]!))
  if (undecided.length === 0) await journal.add({ row: 'done', sequence, recoveredAt })
  else await journal.add({ row: 'undecided', sequence, went: 'finished', steps: undecided, recoveredAt })
}

/**
 * Images are made durable together with the intent, before any note is touched. If a power cut lost some, no change had
 * begun, and edits by others are unrelated to the entry.
 */
async function isUntouched(entry: JournalEntry, states: StepState[], journal: ChangeJournal): Promise<boolean> {
  if (journal.hasAllImages === undefined) return false
  const all = [...states.keys()]
  // Removals come after everything else is in place. Until then a missing note was deleted by someone else.
  const coming = all.filter((index) => entry.steps[index]!.kind !== 'remove')
  const telling = coming.length > 0 ? coming : all
  if (telling.some((index) => states[index] === 'after' || states[index] === 'partial')) return false
  return !(await journal.hasAllImages(entry.sequence))
}

/**
 * The row that ended the entry may be unreadable, and the user may have continued from there. So no note is touched:
 * the files show how it ended, and notes that do not fit are listed.
 */
async function recordEnd(
  files: EntryFiles,
  entry: JournalEntry,
  states: StepState[],
  { journal, now }: ChangeHost,
): Promise<void> {
  const { sequence } = entry
  const recoveredAt = now()
  const wentBack = isGoingBack(entry, journal) || !states.includes('after')
  const odd = [...states.keys()].filter((index) => states[index] !== (wentBack ? 'before' : 'after'))
  await files.removeTemporaries?.()
  await files.sync?.()
  const went = wentBack ? 'taken-back' : 'finished'
  if (odd.length > 0) await journal.add({ row: 'undecided', sequence, went, steps: odd, recoveredAt })
  else if (wentBack) await journal.add({ row: 'rolled-back', sequence, reason: 'interrupted', recoveredAt })
  else await journal.add({ row: 'done', sequence, recoveredAt })
}

/**
 * Whether notes were put in place although each of them was changed since. Bytes that are prepared and not in place
 * show it: all are prepared before the first is put in place.
 */
async function wasBegun(files: EntryFiles, entry: JournalEntry, states: StepState[]): Promise<boolean> {
  if (files.isPrepared === undefined || !states.includes('foreign-after')) return false
  let isAnyWaiting = false
  for (const [index, step] of entry.steps.entries()) {
    if (step.kind !== 'write' || states[index] !== 'before') continue
    if (!(await files.isPrepared(step, index))) return false
    isAnyWaiting = true
  }
  return isAnyWaiting
}

/**
 * An entry that was begun is finished, unless that would leave a note behind that someone has changed before its step
 * was done: a link in it would lead to where the others have left.
 */
function canFinish(states: StepState[]): boolean {
  if (states.includes('foreign-before')) return false
  return !states.includes('foreign') || states.includes('foreign-after')
}

/** False when the journal no longer has the bytes. */
async function finishEntry(
  files: EntryFiles,
  entry: JournalEntry,
  states: StepState[],
  journal: ChangeJournal,
): Promise<boolean> {
  files.includeAllFolders?.()
  const undone = [...states.keys()].filter((index) => states[index] === 'before' || states[index] === 'partial')
  for (const folder of entry.folders) await files.makeFolder(folder)
  const lost = await files.prepare(
    undone.flatMap((index) => {
      const move = forward(entry, index)
      return move.step.kind === 'write' ? [fromJournal(move, move.step, entry, journal)] : []
    }),
  )
  if (lost.length > 0) return false
  await performSteps(files, entry, undone, new Set())
  return true
}

function fromJournal(
  move: StepMove,
  { path, after }: JournalStep & { kind: 'write' },
  { sequence }: JournalEntry,
  journal: ChangeJournal,
): PreparedWrite {
  return { ...move, path, load: () => journal.image(sequence, after) }
}

function forward({ steps }: JournalEntry, index: number): StepMove {
  return { step: steps[index]!, index, isRollback: false }
}

function backward({ steps }: JournalEntry, index: number): StepMove {
  return { step: inverse(steps[index]!), index, isRollback: true }
}

function inverse(step: JournalStep): JournalStep {
  if (step.kind === 'rename') return { ...step, path: step.to, to: step.path }
  if (step.kind === 'remove') return { kind: 'write', path: step.path, before: null, after: step.before }
  if (step.before === null) return { kind: 'remove', path: step.path, before: step.after }
  return { kind: 'write', path: step.path, before: step.after, after: step.before }
}

function isGoingBack({ sequence }: JournalEntry, { entries }: ChangeJournal): boolean {
  return entries.get(sequence)?.isGoingBack === true
}

function isForeign(state: StepState): boolean {
  return state.startsWith('foreign')
}

/** False where the work meets a conflict, or returns false. A disk that fails still throws. */
async function unlessConflict(work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

export function isConflict(error: unknown): boolean {
  return error instanceof Failure && error.code === 'conflict'
}
