import { Failure } from '../errors.js'
import { type Change, type ChangeSet, type ContentHash, changeSet, type UndoneSteps } from './change-set.js'
import type { DamagedRow } from './damaged-row.js'
import { foldPath } from './fold-path.js'
import { type JournalStep, markUndone, type RecordedEntry, unsettledSteps } from './journal-entry.js'
import type { NotePath } from './note-path.js'
import { showDiff } from './show-changes.js'

/** What to take back: one change set, all of a session, or the last change of one note. */
export type UndoTarget = { id: string } | { session: string } | { note: NotePath }

interface Content {
  bytes: Uint8Array
  hash: ContentHash
}

export interface UndoSource {
  entries: Map<number, RecordedEntry>
  /** Rows of the journal that cannot be read. */
  damaged?: readonly DamagedRow[]
  /** The file as it is now, spelled as on the disk; undefined when there is none. */
  current(path: NotePath): Promise<(Content & { path: NotePath }) | undefined>
  /** A before-image of an entry; undefined when the journal no longer has it. */
  image(entry: number, hash: ContentHash): Promise<Uint8Array | undefined>
  hash(bytes: Uint8Array): ContentHash
}

/**
 * Plans taking back what a target names, newest first, as an ordinary change set.
 * Refuses with the diff where later edits would be lost.
 */
export async function planUndo(target: UndoTarget, source: UndoSource): Promise<ChangeSet> {
  const undoes = stepsToUndo(target, source)
  const files = new Files(source)
  const changes: Change[] = []
  for (const { sequence, steps } of undoes) {
    const { entry } = source.entries.get(sequence)!
    for (const index of [...steps].reverse()) changes.push(await takeBack(entry.steps[index], sequence, files, source))
  }
  const titles = undoes.map(({ sequence }) => source.entries.get(sequence)!.entry.title)
  const title = titles.length === 1 ? `Undo: ${titles[0]}` : `Undo ${titles.length} change sets`
  return { ...changeSet(title, changes), undoes }
}

function stepsToUndo(target: UndoTarget, { entries, damaged = [] }: UndoSource): UndoneSteps[] {
  const standing = [...entries.values()].reverse().filter(({ state }) => state === 'applied')
  if ('id' in target) {
    const recorded = [...entries.values()].find(({ entry }) => entry.id === target.id)
    if (recorded === undefined && damaged.some(({ remains }) => remains.id === target.id)) {
      throw nothing(`The journal's row of change set ${target.id} is damaged, so it cannot be undone.`)
    }
    if (recorded === undefined) throw nothing(`There is no change set ${target.id}.`)
    mustBeSettled(recorded, entries)
    const left = recorded.state === 'applied' ? remaining(recorded) : []
    if (left.length === 0) throw nothing(`Change set ${target.id} is not applied, so there is nothing to undo.`)
    return [{ sequence: recorded.entry.sequence, steps: left }]
  }
  if ('session' in target) {
    const chosen = stepsOfSession(target.session, entries)
    if (chosen.length === 0) throw nothing(`Session ${target.session} has nothing to undo.`)
    return chosen
  }
  for (const recorded of standing) {
    // Going back through undos would only bring the undone change back.
    if (recorded.entry.undoes !== undefined) continue
    const steps = stepsOfNote(recorded, target.note)
    if (steps.length > 0) mustBeSettled(recorded, entries)
    if (steps.length > 0) return [{ sequence: recorded.entry.sequence, steps }]
  }
  throw nothing(`No change of ${target.note} is left to undo.`)
}

/** Strictly backwards: an undo of this session is taken back like any change, and then what it had brought back. */
function stepsOfSession(session: string, entries: Map<number, RecordedEntry>): UndoneSteps[] {
  const chosen: UndoneSteps[] = []
  const states = new Map([...entries].map(([at, each]) => [at, { ...each, undone: new Set(each.undone) }]))
  for (const [sequence, recorded] of [...states].reverse()) {
    if (recorded.entry.session !== session) continue
    mustBeSettled(recorded, entries)
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
  const touches = (step: JournalStep) =>
    foldPath(step.path) === key || (step.kind === 'rename' && foldPath(step.to) === key)
  const own = remaining(recorded).filter((index) => touches(recorded.entry.steps[index]))
  const moved = recorded.entry.changes.some(
    (change) => change.kind === 'move' && (foldPath(change.path) === key || foldPath(change.to ?? '') === key),
  )
  return own.length > 0 && moved ? remaining(recorded) : own
}

/** Part of it is neither done nor taken back: saying that undoing did either would not be true. */
function mustBeSettled(recorded: RecordedEntry, entries: Map<number, RecordedEntry>): void {
  const { entry, state } = recorded
  const notes = unsettledSteps(entries, recorded).map((step) => entry.steps[step].path)
  if (notes.length === 0) return
  const went = state === 'applied' ? 'was finished' : 'was taken back'
  throw new Failure(
    'conflict',
    `“${entry.title}” was cut off and ${went}, but for ${notes.join(', ')}: someone else had changed that meanwhile.`,
    { hint: `Decide about it first: notewright settle ${entry.id}`, data: { notes } },
  )
}

function remaining({ entry, undone }: RecordedEntry): number[] {
  return entry.steps.map((_, index) => index).filter((index) => !undone.has(index))
}

async function takeBack(step: JournalStep, sequence: number, files: Files, source: UndoSource): Promise<Change> {
  if (step.kind === 'rename') return takeBackRename(step, sequence, files)
  if (step.kind === 'remove') return restore(step.path, step.before, sequence, files)

  const now = await files.at(step.path)
  if (now?.hash === step.after) {
    if (step.before === null) {
      await files.set(step.path, undefined)
      return { kind: 'trash', path: step.path, before: now.hash, journalOnly: true }
    }
    return files.edit(step.path, now.hash, await files.image(sequence, step.before, step.path))
  }
  const without = now === undefined ? undefined : withoutAppended(now.bytes, step, source)
  if (without !== undefined) return files.edit(step.path, now!.hash, without)
  if (now === undefined && step.before === null) throw lost(step.path, 'is no longer there')
  const before = step.before === null ? new Uint8Array() : await files.image(sequence, step.before, step.path)
  throw lost(step.path, now === undefined ? 'is no longer there' : 'was edited later', now?.bytes, before)
}

async function takeBackRename(step: JournalStep & { kind: 'rename' }, sequence: number, files: Files): Promise<Change> {
  const there = await files.at(step.to)
  const isOurs = there !== undefined && (step.trash === undefined || there.hash === step.hash)
  // The trash was emptied, or the copy in it is another one by now: the journal still has the bytes.
  if (!isOurs && step.hash !== null) return restore(step.path, step.hash, sequence, files)
  if (!isOurs) throw lost(step.to, 'is no longer there')
  if (foldPath(step.path) !== foldPath(step.to)) await files.mustBeFree(step.path)
  await files.set(step.to, undefined)
  await files.set(step.path, there)
  return { kind: 'move', path: step.to, to: step.path, before: there.hash }
}

async function restore(path: NotePath, hash: ContentHash, sequence: number, files: Files): Promise<Change> {
  const bytes = await files.image(sequence, hash, path)
  await files.mustBeFree(path, bytes)
  await files.set(path, { bytes, hash })
  return { kind: 'create', path, after: bytes }
}

function withoutAppended(bytes: Uint8Array, step: JournalStep & { kind: 'write' }, source: UndoSource) {
  if (step.appended === undefined) return undefined
  const { offset, length, hash } = step.appended
  // Where it was put, or, when text above it has grown or shrunk, still at the end.
  for (const start of [offset, bytes.length - length]) {
    if (start < 0 || source.hash(bytes.subarray(start, start + length)) !== hash) continue
    const left = new Uint8Array(bytes.length - length)
    left.set(bytes.subarray(0, start))
    left.set(bytes.subarray(start + length), start)
    return left
  }
  return undefined
}

/** The vault as it will be after the steps planned so far. */
class Files {
  /** By the spelling on the disk; names that are free there, by their folded form, so that two spellings meet. */
  readonly #places = new Map<string, { file: Content | undefined }>()
  readonly #known = new Map<NotePath, { file: Content | undefined }>()

  constructor(private readonly source: UndoSource) {}

  async at(path: NotePath): Promise<Content | undefined> {
    return (await this.#place(path)).file
  }

  async set(path: NotePath, file: Content | undefined): Promise<void> {
    const place = await this.#place(path)
    place.file = file
  }

  async edit(path: NotePath, before: ContentHash, after: Uint8Array): Promise<Change> {
    await this.set(path, { bytes: after, hash: this.source.hash(after) })
    return { kind: 'edit', path, before, after }
  }

  async #place(path: NotePath): Promise<{ file: Content | undefined }> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const found = await this.source.current(path)
    const key = found === undefined ? `free:${foldPath(path)}` : found.path
    const place = this.#places.get(key) ?? { file: found }
    this.#places.set(key, place)
    this.#known.set(path, place)
    return place
  }

  async mustBeFree(path: NotePath, wanted?: Uint8Array): Promise<void> {
    const there = await this.at(path)
    if (there !== undefined) throw lost(path, 'exists again', there.bytes, wanted)
  }

  async image(sequence: number, hash: ContentHash, path: NotePath): Promise<Uint8Array> {
    const bytes = await this.source.image(sequence, hash)
    if (bytes !== undefined) return bytes
    throw new Failure('not-found', `The journal no longer has the earlier text of ${path}.`, {
      hint: 'Old entries are dropped to keep the journal within its size and age.',
    })
  }
}

function lost(path: NotePath, what: string, current?: Uint8Array, restored?: Uint8Array): Failure {
  const diff = current === undefined || restored === undefined ? undefined : showDiff(path, current, restored)
  return new Failure('conflict', `${path} ${what}, so undoing would lose later work. Nothing was changed.`, {
    hint: 'Look at the difference and decide by hand, or undo the later change first.',
    data: { path, diff },
  })
}

function nothing(message: string): Failure {
  return new Failure('not-found', message, { hint: 'List what can be undone with history.' })
}
