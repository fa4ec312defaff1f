import { Failure } from '../errors.js'
import type { Change, ChangeSet, ContentHash } from './change-set.js'
import { decodeNote } from './decode-note.js'
import { type Hunk, lineHunks } from './line-hunks.js'
import type { NotePath } from './note-path.js'

/** Which hunks of one change the person accepts, by their place in the list that `listHunks` gives. */
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
    const narrowed = choice === undefined ? change : await narrow(set, index, choice, read)
    if (narrowed !== undefined) changes.push(narrowed)
  }
  return { ...set, changes }
}

/** What a change does to a text, in hunks from top to bottom. */
export function listHunks(before: Uint8Array, after: Uint8Array): Hunk[] {
  return lineHunks(linesOf(before), linesOf(after))
}

async function narrow(
  set: ChangeSet,
  index: number,
  chosen: ReadonlySet<number>,
  read: (path: NotePath) => Promise<{ bytes: Uint8Array; hash: ContentHash } | undefined>,
): Promise<Change | undefined> {
  const change = set.changes[index]
  if (change.kind === 'move' || change.kind === 'trash') {
    throw new Failure('invalid-input', `A ${change.kind} has no hunks: it is accepted or refused as a whole.`)
  }
  // What stands whole does not depend on a base.
  if (change.kind === 'create' || change.kind === 'append') {
    const hunks = listHunks(nothing, change.kind === 'create' ? change.after : change.added)
    mustKnow(chosen, hunks, change.path)
    return chosen.size === 0 && hunks.length > 0 ? undefined : change
  }
  if (set.changes.some((other, at) => at > index && isBuiltOn(other, change.path))) {
    throw new Failure(
      'invalid-input',
      `A later step builds on the change of ${change.path}, so it cannot be taken apart.`,
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
  if (encoding !== 'utf-8') throw new Failure('not-utf8', 'Text that is not valid UTF-8 cannot be taken apart.')
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

/** Where the bytes of an edit lie now, if earlier steps of the set move the file. */
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
  for (const index of chosen) if (hunks[index] === undefined) throw unknownPart(`hunk ${index} of ${path}`)
}

function unknownPart(what: string): Failure {
  return new Failure('invalid-input', `There is no ${what} to accept.`)
}

const nothing = new Uint8Array()
