import type { Change, ContentHash } from '../change-set.js'
import { decodeNote } from '../decode-note.js'
import type { JournalStep } from '../journal-entry.js'
import type { NotePath } from '../note-path.js'
import { mergeLines, type Settled } from './merge-lines.js'
import type { Content, PlannedFiles } from './planned-files.js'
import { lost, type UndoConflicts } from './undo-conflict.js'
import type { UndoSource } from './undo-source.js'

type Write = JournalStep & { kind: 'write' }

/** What planning an undo goes through step by step. */
export interface TakingBack {
  source: UndoSource
  files: PlannedFiles
  conflicts: UndoConflicts
  /** Notes that were edited since, and keep these edits. */
  merged: Set<NotePath>
}

/** The changes that take back some steps of an entry, the last one first. */
export async function takeBackSteps(steps: JournalStep[], sequence: number, taking: TakingBack): Promise<Change[]> {
  const changes: Change[] = []
  const done = new Set<JournalStep>()
  for (const step of [...steps].reverse()) {
    if (done.has(step)) continue
    const moved = await movedAndEdited(step, steps, taking)
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

/** The text as it is now, with the change taken out of it. */
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
  const choices: Settled[] = []
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
    const why = 'was made by this change and edited later'
    const choice = await taking.conflicts.choose({ path, why, scope: 'note', ...asLines(now.bytes, nothing) })
    taking.conflicts.show(path, now.bytes, nothing)
    if (choice === 'keep-mine') return []
  }
  return [await taking.files.remove(path, now.hash)]
}

async function bringBackGone(path: NotePath, before: Uint8Array, taking: TakingBack): Promise<Change[]> {
  const why = 'is no longer there'
  const choice = await taking.conflicts.choose({ path, why, scope: 'note', ...asLines(nothing, before) })
  taking.conflicts.show(path, nothing, before)
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
  if (!isOurs) throw lost(step.to, 'is no longer there')
  return files.move(step.to, step.path, there)
}

async function restore(path: NotePath, hash: ContentHash, sequence: number, files: PlannedFiles): Promise<Change> {
  const bytes = await files.image(sequence, hash, path)
  await files.mustBeFree(path, bytes)
  return files.create(path, bytes)
}

/** A note that was moved and rewritten in one go, and edited since. */
interface MovedNote {
  write: Write
  remove: JournalStep & { kind: 'remove' }
  now: Content
}

async function movedAndEdited(
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
  return now === undefined || now.hash === write.after ? undefined : { write, remove, now }
}

async function moveBack({ write, remove, now }: MovedNote, sequence: number, taking: TakingBack): Promise<Change[]> {
  const { files, merged } = taking
  const before = await files.image(sequence, remove.before, remove.path)
  const after = await withoutChange(write, now, before, sequence, taking)
  const move = await files.move(write.path, remove.path, now)
  merged.delete(write.path)
  merged.add(remove.path)
  return after === now.bytes ? [move] : [move, await files.edit(remove.path, now.hash, after)]
}

function withoutAppended(bytes: Uint8Array, step: Write, source: UndoSource): Uint8Array | undefined {
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

/** undefined where one of them is missing or is not UTF-8: then there are no lines to merge. */
function textsOf({ before, after, now }: Record<'before' | 'now', Uint8Array> & { after?: Uint8Array }) {
  if (after === undefined) return undefined
  const [old, left, current] = [before, after, now].map(decodeNote)
  if ([old, left, current].some(({ encoding }) => encoding !== 'utf-8')) return undefined
  return { before: old.text, after: left.text, now: current.text }
}

function asLines(mine: Uint8Array, earlier: Uint8Array) {
  const [now, old] = [mine, earlier].map((bytes) => decodeNote(bytes).text.match(/[^\n]*\n|[^\n]+/g) ?? [])
  return { line: 1, mine: [...now], earlier: [...old] }
}

const nothing = new Uint8Array()
