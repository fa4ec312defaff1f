import { Failure } from '../errors.js'
import { type Change, type ChangeSet, type ContentHash, changeSet, type UndoneSteps } from './change-set.js'
import { type DamagedRow, type JournalStep, markUndone, type RecordedEntry, undecidedSteps } from './journal.js'
import { type ConflictChoice, type LineConflict, mergeLines } from './merge-lines.js'
import { foldPath, type NotePath } from './note-path.js'
import { decodeNote } from './note-text.js'
import { showDiff } from './show-changes.js'

// `!` is used on entries of the journal and their steps, by numbers that were read from it.

/** The target of an undo: one change set, several, all of a session, or the last change of one note. */
export type UndoTarget = { id: string } | { ids: readonly string[] } | { session: string } | { note: NotePath }

/**
 * Plans the undo of a target, newest change first, as an ordinary change set. Later edits of the same notes stay; where
 * they touch the same lines, `choose` is called. Throws with the diff if a conflict stays open.
 */
export async function planUndo(target: UndoTarget, source: UndoSource, choose?: ChooseConflict): Promise<ChangeSet> {
  const undoes = stepsToUndo(target, source)
  const files = new PlannedFiles(source)
  const taking = { source, files, conflicts: new UndoConflicts(choose), merged: new Set<NotePath>() }
  const changes: Change[] = []
  for (const { sequence, steps } of undoes) {
    const { entry } = source.entries.get(sequence)!
    const chosen = steps.map((index) => entry.steps[index]!)
    changes.push(...(await takeBackSteps(chosen, sequence, taking)))
  }
  taking.conflicts.requireAllResolved()
  const titles = undoes.map(({ sequence }) => source.entries.get(sequence)!.entry.title)
  const title = titles.length === 1 ? `Undo: ${titles[0]}` : `Undo ${titles.length} changes`
  if (changes.length === 0) throw nothingToUndo(`Nothing to undo: the notes already have this text (${title}).`)
  const merged = [...taking.merged]
  return { ...changeSet(title, changes), undoes, ...(merged.length > 0 && { merged }) }
}

function stepsToUndo(target: UndoTarget, { entries, damaged = [] }: UndoSource): UndoneSteps[] {
  const standing = [...entries.values()].reverse().filter(({ state }) => state === 'applied')
  if ('id' in target) {
    const recorded = [...entries.values()].find(({ entry }) => entry.id === target.id)
    if (recorded === undefined && damaged.some(({ remains }) => remains.id === target.id)) {
      throw nothingToUndo(`The change ${target.id} cannot be undone, because its row in the journal is damaged.`)
    }
    if (recorded === undefined) throw nothingToUndo(`No change has the id ${target.id}.`)
    requireDecided(recorded, entries)
    const left = recorded.state === 'applied' ? remaining(recorded) : []
    if (left.length === 0) throw nothingToUndo(`The change ${target.id} was not applied, or is already undone.`)
    return [{ sequence: recorded.entry.sequence, steps: left }]
  }
  if ('ids' in target) {
    const chosen = standing.filter(({ entry }) => target.ids.includes(entry.id))
    for (const recorded of chosen) requireDecided(recorded, entries)
    const undoes = chosen.map((recorded) => ({ sequence: recorded.entry.sequence, steps: remaining(recorded) }))
    const left = undoes.filter(({ steps }) => steps.length > 0)
    if (left.length < target.ids.length) throw nothingToUndo('A change was not applied or is already undone.')
    return left
  }
  if ('session' in target) {
    const chosen = stepsOfSession(target.session, entries)
    if (chosen.length === 0) throw nothingToUndo(`The chat ${target.session} has nothing to undo.`)
    return chosen
  }
  for (const recorded of standing) {
    // Going back through undos would only bring the undone change back.
    if (recorded.entry.undoes !== undefined) continue
    const steps = stepsOfNote(recorded, target.note)
    if (steps.length > 0) requireDecided(recorded, entries)
    if (steps.length > 0) return [{ sequence: recorded.entry.sequence, steps }]
  }
  throw nothingToUndo(`${target.note} has no change left to undo.`)
}

/** Strictly backwards: an undo of this session is reverted like any change, and then the change it had restored. */
function stepsOfSession(session: string, entries: Map<number, RecordedEntry>): UndoneSteps[] {
  const chosen: UndoneSteps[] = []
  const states = new Map([...entries].map(([at, each]) => [at, { ...each, undone: new Set(each.undone) }]))
  for (const [sequence, recorded] of [...states].reverse()) {
    if (recorded.entry.session !== session) continue
    requireDecided(recorded, entries)
    if (recorded.state !== 'applied') continue
    const steps = remaining(recorded)
    if (steps.length === 0) continue
    chosen.push({ sequence, steps })
    markUndone(states, [{ sequence, steps }], true)
  }
  return chosen
}

// A note that was moved takes its whole set along: the links that were rewritten belong to the move.
function stepsOfNote(recorded: RecordedEntry, note: NotePath): number[] {
  const key = foldPath(note)
  const left = remaining(recorded)
  const touching = (isMeant: (path: NotePath) => boolean) =>
    left.filter((index) => {
      const step = recorded.entry.steps[index]!
      return isMeant(step.path) || (step.kind === 'rename' && isMeant(step.to))
    })
  // Some disks hold two spellings of a name beside each other.
  const exactly = touching((path) => path === note)
  const own = exactly.length > 0 ? exactly : touching((path) => foldPath(path) === key)
  const moved = recorded.entry.changes.some(
    (change) => change.kind === 'move' && (foldPath(change.path) === key || foldPath(change.to ?? '') === key),
  )
  return own.length > 0 && moved ? left : own
}

/** Part of the change is neither done nor undone, so it must be resolved first. */
function requireDecided(recorded: RecordedEntry, entries: Map<number, RecordedEntry>): void {
  const { entry, state } = recorded
  const notes = undecidedSteps(entries, recorded).map((step) => entry.steps[step]!.path)
  if (notes.length === 0) return
  const went = state === 'applied' ? 'completed' : 'undone'
  throw new Failure(
    'conflict',
    `“${entry.title}” was interrupted and then ${went}, except in notes that were edited in the meantime: ${notes.join(', ')}.`,
    { hint: 'Choose what to keep in these notes first.', command: `notewright recover ${entry.id}`, data: { notes } },
  )
}

function remaining({ entry, undone }: RecordedEntry): number[] {
  return entry.steps.map((_, index) => index).filter((index) => !undone.has(index))
}

function nothingToUndo(message: string): Failure {
  return new Failure('not-found', message, { hint: 'List the changes that can be undone.' })
}

/** The journal and files that an undo is planned from. */
export interface UndoSource {
  entries: Map<number, RecordedEntry>
  /** Rows of the journal that cannot be read. */
  damaged?: readonly DamagedRow[]
  /** The file as it is now, spelled as on the disk; undefined when there is none. */
  current(path: NotePath): Promise<{ path: NotePath; bytes: Uint8Array; hash: ContentHash } | undefined>
  /** The bytes of a file before or after an entry; undefined when the journal does not have them. */
  image(entry: number, hash: ContentHash): Promise<Uint8Array | undefined>
  hash(bytes: Uint8Array): ContentHash
}

type Write = JournalStep & { kind: 'write' }

/** The state of an undo while it is planned. */
interface TakingBack {
  source: UndoSource
  files: PlannedFiles
  conflicts: UndoConflicts
  /** Notes that were edited since, and keep these edits. */
  merged: Set<NotePath>
}

/** The changes that revert some steps of an entry, the last step first. */
async function takeBackSteps(steps: JournalStep[], sequence: number, taking: TakingBack): Promise<Change[]> {
  const changes: Change[] = []
  const done = new Set<JournalStep>()
  for (const step of [...steps].reverse()) {
    if (done.has(step)) continue
    const moved = await movedAndRewritten(step, steps, taking)
    if (moved === undefined) changes.push(...(await takeBack(step, sequence, taking)))
    else {
      done.add(moved.write).add(moved.remove)
      changes.push(...(await moveBack(moved, sequence, taking)))
    }
  }
  return changes
}

async function takeBack(step: JournalStep, sequence: number, taking: TakingBack): Promise<Change[]> {
  const { files } = taking
  if (step.kind === 'rename') return [await takeBackRename(step, sequence, files)]
  if (step.kind === 'remove') return [await restore(step.path, step.before, sequence, files)]
  const now = await files.at(step.path)
  if (step.before === null) return removeCreated(step, now, taking)
  if (now?.hash === step.before) return []
  const before = await files.image(sequence, step.before, step.path)
  if (now === undefined) return bringBackGone(step.path, before, taking)
  const after = now.hash === step.after ? before : await withoutChange(step, now, before, sequence, taking)
  return after === now.bytes ? [] : [await files.edit(step.path, now.hash, after)]
}

/** The current text without the change. */
async function withoutChange(
  step: Write,
  now: Content,
  before: Uint8Array,
  sequence: number,
  { source, conflicts, merged }: TakingBack,
): Promise<Uint8Array> {
  const { path } = step
  const without = withoutAppended(now.bytes, step, source)
  if (without !== undefined) {
    merged.add(path)
    return without
  }
  const versions = textsOf({ before, after: await source.image(sequence, step.after), now: now.bytes })
  if (versions === undefined) {
    const choice = await conflicts.choose({
      path,
      why: 'was edited later',
      scope: 'note',
      ...asLines(now.bytes, before),
    })
    conflicts.show(path, now.bytes, before)
    return choice === 'take-back' ? before : now.bytes
  }
  const lines = mergeLines(versions)
  const choices: ConflictChoice[] = []
  for (const conflict of lines.conflicts) {
    choices.push(await conflicts.choose({ path, why: 'was edited later', scope: 'lines', ...conflict }))
  }
  const encode = (text: string) => new TextEncoder().encode(text)
  conflicts.show(path, now.bytes, encode(lines.text(choices.map(() => 'take-back'))))
  const text = lines.text(choices)
  if (text === versions.now) return now.bytes
  merged.add(path)
  return encode(text)
}

/** A note that the change made goes, unless it holds later work. */
async function removeCreated(step: Write, now: Content | undefined, taking: TakingBack): Promise<Change[]> {
  const { path } = step
  if (now === undefined) return []
  if (now.hash !== step.after) {
    const without = withoutAppended(now.bytes, step, taking.source)
    if (without !== undefined) {
      taking.merged.add(path)
      return [await taking.files.edit(path, now.hash, without)]
    }
    const why = 'was created by this change and edited later'
    const choice = await taking.conflicts.choose({ path, why, scope: 'note', ...asLines(now.bytes, noBytes) })
    taking.conflicts.show(path, now.bytes, noBytes)
    if (choice === 'keep-mine') return []
  }
  return [await taking.files.remove(path, now.hash)]
}

async function bringBackGone(path: NotePath, before: Uint8Array, taking: TakingBack): Promise<Change[]> {
  const why = 'no longer exists'
  const choice = await taking.conflicts.choose({ path, why, scope: 'note', ...asLines(noBytes, before) })
  taking.conflicts.show(path, noBytes, before)
  return choice === 'keep-mine' ? [] : [await taking.files.create(path, before)]
}

async function takeBackRename(
  step: JournalStep & { kind: 'rename' },
  sequence: number,
  files: PlannedFiles,
): Promise<Change> {
  const there = await files.at(step.to)
  const isOurs = there !== undefined && (step.trash === undefined || there.hash === step.hash)
  // The trash was emptied, or the copy in it is another one by now: the journal still has the bytes.
  if (!isOurs && step.hash !== null) return restore(step.path, step.hash, sequence, files)
  if (!isOurs) throw lost(step.to, 'no longer exists')
  return files.move(step.to, step.path, there)
}

async function restore(path: NotePath, hash: ContentHash, sequence: number, files: PlannedFiles): Promise<Change> {
  const bytes = await files.image(sequence, hash, path)
  await files.mustBeFree(path, bytes)
  return files.create(path, bytes)
}

/** A note that was moved and rewritten in one go. Its undo is a move too, not a new file and a removed one. */
interface MovedNote {
  write: Write
  remove: JournalStep & { kind: 'remove' }
  now: Content
}

async function movedAndRewritten(
  step: JournalStep,
  steps: JournalStep[],
  { files }: TakingBack,
): Promise<MovedNote | undefined> {
  const write = steps.find((other): other is Write => {
    if (other.kind !== 'write' || other.before !== null || other.origin === undefined) return false
    return other === step || (step.kind === 'remove' && other.origin === step.path)
  })
  const remove = steps.find((other) => other.kind === 'remove' && other.path === write?.origin)
  if (write === undefined || remove?.kind !== 'remove') return undefined
  const now = await files.at(write.path)
  return now === undefined ? undefined : { write, remove, now }
}

async function moveBack({ write, remove, now }: MovedNote, sequence: number, taking: TakingBack): Promise<Change[]> {
  const { files, merged } = taking
  const before = await files.image(sequence, remove.before, remove.path)
  const isEdited = now.hash !== write.after
  const after = isEdited ? await withoutChange(write, now, before, sequence, taking) : before
  const move = await files.move(write.path, remove.path, now)
  if (isEdited) {
    merged.delete(write.path)
    merged.add(remove.path)
  }
  return after === now.bytes ? [move] : [move, await files.edit(remove.path, now.hash, after)]
}

function withoutAppended(bytes: Uint8Array, step: Write, source: UndoSource): Uint8Array | undefined {
  if (step.appended === undefined) return undefined
  const { offset, length, hash } = step.appended
  // The original offset, or the end if text above has grown or shrunk.
  for (const start of [offset, bytes.length - length]) {
    if (start < 0 || source.hash(bytes.subarray(start, start + length)) !== hash) continue
    const left = new Uint8Array(bytes.length - length)
    left.set(bytes.subarray(0, start))
    left.set(bytes.subarray(start + length), start)
    return left
  }
  return undefined
}

/** undefined if one of them is missing or is not UTF-8: then there are no lines to merge. */
function textsOf({ before, after, now }: Record<'before' | 'now', Uint8Array> & { after?: Uint8Array | undefined }) {
  if (after === undefined) return undefined
  const old = decodeNote(before)
  const left = decodeNote(after)
  const current = decodeNote(now)
  if ([old, left, current].some(({ encoding }) => encoding !== 'utf-8')) return undefined
  return { before: old.text, after: left.text, now: current.text }
}

function asLines(mine: Uint8Array, earlier: Uint8Array) {
  const lines = (bytes: Uint8Array) => [...(decodeNote(bytes).text.match(/[^\n]*\n|[^\n]+/g) ?? [])]
  return { line: 1, mine: lines(mine), earlier: lines(earlier) }
}

const noBytes = new Uint8Array()

interface Content {
  bytes: Uint8Array
  hash: ContentHash
}

/** A name, and the existing file with that name, as it is spelled on disk. */
interface Place {
  path: NotePath
  file: Content | undefined
}

/** The vault as it will be after the steps planned so far. */
class PlannedFiles {
  /** By the spelling on the disk; names that are free there, by their folded form, so that two spellings meet. */
  readonly #places = new Map<string, Place>()
  readonly #known = new Map<NotePath, Place>()

  constructor(private readonly source: UndoSource) {}

  async at(path: NotePath): Promise<Content | undefined> {
    return (await this.#place(path)).file
  }

  async edit(path: NotePath, before: ContentHash, after: Uint8Array): Promise<Change> {
    await this.#set(path, { bytes: after, hash: this.source.hash(after) })
    return { kind: 'edit', path, before, after }
  }

  async create(path: NotePath, bytes: Uint8Array): Promise<Change> {
    await this.#set(path, { bytes, hash: this.source.hash(bytes) })
    return { kind: 'create', path, after: bytes }
  }

  /** A note that an undo removes stays in the journal. */
  async remove(path: NotePath, before: ContentHash): Promise<Change> {
    await this.#set(path, undefined)
    return { kind: 'trash', path, before, journalOnly: true }
  }

  async move(path: NotePath, to: NotePath, file: Content): Promise<Change> {
    if (foldPath(path) !== foldPath(to)) await this.mustBeFree(to)
    await this.#set(path, undefined)
    await this.#set(to, file)
    return { kind: 'move', path, to, before: file.hash }
  }

  async mustBeFree(path: NotePath, wanted?: Uint8Array): Promise<void> {
    const there = await this.#place(path)
    if (there.file === undefined) return
    if (there.path !== path) throw twoSpellings(path, there.path, (await this.source.current(path)) !== undefined)
    throw lost(path, 'exists again', { diff: wanted && showDiff(path, there.file.bytes, wanted) })
  }

  /** A text of an entry that cannot be done without. */
  async image(sequence: number, hash: ContentHash, path: NotePath): Promise<Uint8Array> {
    const bytes = await this.source.image(sequence, hash)
    if (bytes !== undefined) return bytes
    throw new Failure('not-found', `The journal has no usable copy of the earlier text of ${path}.`, {
      hint: 'Old entries are deleted to limit the size of the journal, and damaged ones are never used.',
    })
  }

  async #set(path: NotePath, file: Content | undefined): Promise<void> {
    const place = await this.#place(path)
    if (place.file === undefined) place.path = path
    place.file = file
  }

  async #place(path: NotePath): Promise<Place> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const found = await this.source.current(path)
    const key = found === undefined ? `free:${foldPath(path)}` : found.path
    const place = this.#places.get(key) ?? { path: found?.path ?? path, file: found }
    this.#places.set(key, place)
    this.#known.set(path, place)
    return place
  }
}

/** Not every disk can hold both, so the second is refused on all. */
function twoSpellings(path: NotePath, other: NotePath, isThere: boolean): Failure {
  const what = isThere ? `cannot be restored while ${other} exists` : `and ${other} would both be restored`
  return new Failure('conflict', `${path} ${what}: the names differ only in spelling. Nothing was changed.`, {
    hint: isThere
      ? `Rename ${other} first, then undo again.`
      : `Undo the last change of ${other} alone and rename it, then undo the rest.`,
    data: { path, other },
  })
}

/** A place where an undo would lose later work, for the user to resolve. */
export interface UndoConflict extends LineConflict {
  path: NotePath
  /** The reason, to follow the note's name: "was edited later". */
  why: string
  /** `note`: it is resolved as a whole, because it has no lines to compare. */
  scope: 'lines' | 'note'
}

/** Resolves a conflict; `undefined` leaves it open, and then nothing can be undone. */
export type ChooseConflict = (
  conflict: UndoConflict,
) => ConflictChoice | undefined | Promise<ConflictChoice | undefined>

/** The conflicts of one undo, each passed to `ask`. */
class UndoConflicts {
  readonly #open: UndoConflict[] = []
  readonly #diffs: string[] = []

  constructor(private readonly ask: ChooseConflict = () => undefined) {}

  /** The choice for a conflict. Undecided ones count as kept; `requireAllResolved` checks them at the end. */
  async choose(conflict: UndoConflict): Promise<ConflictChoice> {
    const choice = await this.ask(conflict)
    if (choice === undefined) this.#open.push(conflict)
    return choice ?? 'keep-mine'
  }

  /** Records the diff of a full undo for a note with open conflicts. */
  show(path: NotePath, now: Uint8Array, restored: Uint8Array): void {
    if (this.#open.some((conflict) => conflict.path === path)) this.#diffs.push(showDiff(path, now, restored))
  }

  requireAllResolved(): void {
    const [first, ...more] = this.#open
    if (first === undefined) return
    const others =
      more.length === 0 ? '' : ` The same applies to ${more.length} more ${more.length === 1 ? 'place' : 'places'}.`
    throw lost(first.path, first.why, { diff: this.#diffs.join(''), conflicts: this.#open }, others)
  }
}

/** Undoing would lose later work, and the conflict cannot be resolved line by line. */
function lost(path: NotePath, why: string, data: Record<string, unknown> = {}, others = ''): Failure {
  return new Failure('conflict', `${path} ${why}, so undoing would lose later work.${others} Nothing was changed.`, {
    hint: 'Compare the versions and choose what to keep in each place, or undo the later change first.',
    data: { path, ...data },
  })
}

/** A user's choice for one conflict. */
export interface ConflictResolution {
  path: string
  line: number
  settled: ConflictChoice
}

/** Resolves conflicts as chosen. A place that was not shown stays open. */
export function chooseAs(places: readonly ConflictResolution[]): ChooseConflict {
  return ({ path, line }) => places.find((place) => place.path === path && place.line === line)?.settled
}
