import { diffArrays } from 'diff'
import { Failure } from '../errors.js'
import type { Change, ChangeSet, ContentHash } from './change-set.js'
import type { NotePath } from './note-path.js'
import { decodeNote } from './note-text.js'

// `!`: `index` is the position of a change of this set.

/** The hunks of one change that the user accepts, by their index in `listHunks`. */
export interface AcceptedHunks {
  /** Index into the change set's changes. */
  change: number
  hunks: readonly number[]
}

/**
 * The part of a change set that was accepted, on the same base hashes: outside the accepted hunks every byte is as it
 * was. Changes that are not named stay whole; one of which nothing is accepted is dropped.
 */
export async function acceptHunks(
  set: ChangeSet,
  accepted: readonly AcceptedHunks[],
  read: (path: NotePath) => Promise<{ bytes: Uint8Array; hash: ContentHash } | undefined>,
): Promise<ChangeSet> {
  const choices = new Map(accepted.map(({ change, hunks }) => [change, new Set(hunks)]))
  for (const change of choices.keys()) if (set.changes[change] === undefined) throw unknownPart(`change ${change}`)
  const changes: Change[] = []
  for (const [index, change] of set.changes.entries()) {
    const choice = choices.get(index)
    const narrowed = choice === undefined ? change : await narrowChange(set, index, choice, read)
    if (narrowed !== undefined) changes.push(narrowed)
  }
  return { ...set, changes }
}

/** The hunks of a change, from top to bottom. */
export function listHunks(before: Uint8Array, after: Uint8Array): Hunk[] {
  return lineHunks(linesOf(before), linesOf(after))
}

async function narrowChange(
  set: ChangeSet,
  index: number,
  chosen: ReadonlySet<number>,
  read: (path: NotePath) => Promise<{ bytes: Uint8Array; hash: ContentHash } | undefined>,
): Promise<Change | undefined> {
  const change = set.changes[index]!
  if (change.kind === 'move' || change.kind === 'trash') {
    throw new Failure('invalid-input', `A ${change.kind} has no separate parts. Accept or reject all of it.`)
  }
  // Created and appended text does not depend on a base.
  if (change.kind === 'create' || change.kind === 'append') {
    const hunks = listHunks(noBytes, change.kind === 'create' ? change.after : change.added)
    mustKnow(chosen, hunks, change.path)
    return chosen.size === 0 && hunks.length > 0 ? undefined : change
  }
  if (set.changes.some((other, at) => at > index && isBuiltOn(other, change.path))) {
    throw new Failure(
      'invalid-input',
      `A later step depends on the change of ${change.path}. Accept or reject all of it.`,
    )
  }
  const base = await read(originOf(set, index, change.path))
  if (base?.hash !== change.before) {
    throw new Failure('conflict', `${change.path} has changed since it was read. Nothing was written.`, {
      hint: 'Read the note again and plan the change from its new text.',
    })
  }
  const hunks = listHunks(base.bytes, change.after)
  mustKnow(chosen, hunks, change.path)
  if (chosen.size === hunks.length) return change
  if (chosen.size === 0) return undefined
  return {
    ...change,
    after: withHunks(
      base.bytes,
      hunks.filter((_, at) => chosen.has(at)),
    ),
  }
}

function withHunks(base: Uint8Array, hunks: readonly Hunk[]): Uint8Array {
  const lines = linesOf(base)
  const pieces: string[][] = []
  let done = 0
  for (const { oldLine, removed, added } of hunks) {
    pieces.push(lines.slice(done, oldLine - 1), added)
    done = oldLine - 1 + removed.length
  }
  pieces.push(lines.slice(done))
  return new TextEncoder().encode(pieces.flat().join(''))
}

function linesOf(bytes: Uint8Array): string[] {
  const { text, encoding } = decodeNote(bytes)
  if (encoding !== 'utf-8') throw new Failure('not-utf8', 'Text that is not valid UTF-8 cannot be accepted in parts.')
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

/** Path of an edit's original bytes, if earlier steps of the set move the file. */
function originOf(set: ChangeSet, index: number, path: NotePath): NotePath {
  let origin = path
  for (const earlier of set.changes.slice(0, index).reverse()) {
    if (earlier.kind === 'move' && earlier.to === origin) origin = earlier.path
  }
  return origin
}

function isBuiltOn(change: Change, path: NotePath): boolean {
  return change.path === path && change.kind !== 'append'
}

function mustKnow(chosen: ReadonlySet<number>, hunks: readonly Hunk[], path: NotePath): void {
  for (const index of chosen) if (hunks[index] === undefined) throw unknownPart(`part ${index} of ${path}`)
}

function unknownPart(what: string): Failure {
  return new Failure('invalid-input', `There is no ${what} to accept.`)
}

const noBytes = new Uint8Array()

/** A run of lines that a change replaces. Lines keep their line breaks, so that nothing about them is lost. */
export interface Hunk {
  /** 1-based line before or at which it applies, in the text before and in the text after. */
  oldLine: number
  newLine: number
  removed: string[]
  added: string[]
}

/**
 * The hunks that turn some lines into others, from top to bottom. Deterministic; between two hunks there is always an
 * unchanged line. Texts too different to compare become one hunk.
 */
export function lineHunks(old: readonly string[], fresh: readonly string[]): Hunk[] {
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  const most = Math.min(old.length, fresh.length) - start
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++
  return diffHunks(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end), start + 1)
}

/** Beyond this many changed lines a comparison is slow and unhelpful. */
const mostChanges = 2000

function diffHunks(old: string[], fresh: string[], line: number): Hunk[] {
  if (old.length === 0 && fresh.length === 0) return []
  const parts = diffArrays(old, fresh, { maxEditLength: mostChanges })
  if (parts === undefined) return [{ oldLine: line, newLine: line, removed: old, added: fresh }]
  const hunks: Hunk[] = []
  let hunk: Hunk | undefined
  let [oldLine, newLine] = [line, line]
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      hunk = undefined
      oldLine += value.length
      newLine += value.length
      continue
    }
    if (hunk === undefined) hunks.push((hunk = { oldLine, newLine, removed: [], added: [] }))
    if (removed) {
      hunk.removed = hunk.removed.concat(value)
      oldLine += value.length
    } else {
      hunk.added = hunk.added.concat(value)
      newLine += value.length
    }
  }
  return hunks
}
