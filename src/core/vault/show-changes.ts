import { createTwoFilesPatch, diffWordsWithSpace, FILE_HEADERS_ONLY } from 'diff'
import { visibleText } from '../text/index.js'
import type { Change, ChangeRule, ChangeSet, ContentHash } from './change-set.js'
import type { NotePath } from './note-path.js'
import { decodeNote } from './note-text.js'

/** A planned change with its diff. */
export interface ShownChange {
  /** The kind of change. */
  kind: Change['kind']
  /** The note. */
  path: NotePath
  /** Its new path, for a move. */
  to?: NotePath
  /** Unified diff; absent where the text does not change. */
  diff?: string
}

/** A change set as plain data: what would happen and what it is bound to, without the bytes. */
export interface PlannedChanges {
  id: string
  title: string
  changes: (ShownChange & { before?: ContentHash })[]
  /** The rules of a change of many notes. */
  rules?: ChangeRule[]
}

export async function plannedChanges(
  set: ChangeSet,
  current: Parameters<typeof showChanges>[1],
): Promise<PlannedChanges> {
  const shown = await showChanges(set, current)
  const changes = set.changes.map((change, at) => ({
    // `!`: `showChanges` returns one entry for each change.
    ...shown[at]!,
    ...('before' in change && change.before !== undefined && { before: change.before }),
  }))
  return { id: set.id, title: set.title, changes, ...(set.rules && { rules: set.rules }) }
}

/** The changes as a user sees them before approving: each with its diff, from the bytes that will be written. */
export async function showChanges(
  set: ChangeSet,
  current: (path: NotePath) => Promise<{ bytes: Uint8Array; hash: ContentHash } | undefined>,
  limit = 200_000,
): Promise<ShownChange[]> {
  // Loaded where a diff shows them: moved or deleted files may be too large to read.
  const planned = new Map<string, () => Promise<Uint8Array | undefined>>()
  const loaderOf = (path: NotePath) => planned.get(path) ?? (async () => (await current(path))?.bytes)
  const put = (path: NotePath, bytes: Uint8Array | undefined) => planned.set(path, async () => bytes)

  const shown: ShownChange[] = []
  let left = limit
  const diffOf = (path: NotePath, before: Uint8Array, after: Uint8Array) => {
    const diff = left > 0 ? showDiff(path, before, after, left) : '(not shown: the whole diff is too long)\n'
    left -= diff.length
    return diff
  }
  for (const change of set.changes) {
    const { kind, path } = change
    if (kind === 'move') {
      planned.set(change.to, loaderOf(path))
      put(path, undefined)
      shown.push({ kind, path, to: change.to })
    } else if (kind === 'trash') {
      put(path, undefined)
      shown.push({ kind, path })
    } else {
      const hidden = kind === 'edit' ? change.hiddenBefore : undefined
      const before = hidden ?? (await loaderOf(path)()) ?? noBytes
      const after = kind === 'append' ? joined(before, change.added) : change.after
      put(path, after)
      shown.push({ kind, path, diff: diffOf(path, before, after) })
    }
  }
  return shown
}

/** Past changes, shown from the change set that would undo them: the same in reverse. */
export async function showPastChanges(
  undo: ChangeSet,
  current: (path: NotePath) => Promise<{ bytes: Uint8Array; hash: ContentHash } | undefined>,
): Promise<ShownChange[]> {
  const shown: ShownChange[] = []
  for (const change of [...undo.changes].reverse()) {
    const { kind, path } = change
    const now = async () => (await current(path))?.bytes ?? noBytes
    if (kind === 'move') shown.push({ kind, path: change.to, to: path })
    else if (kind === 'trash') shown.push({ kind: 'create', path, diff: showDiff(path, noBytes, await now()) })
    else if (kind === 'append') shown.push({ kind: 'edit', path })
    else {
      const after = kind === 'create' ? noBytes : await now()
      shown.push({ kind: kind === 'create' ? 'trash' : kind, path, diff: showDiff(path, change.after, after) })
    }
  }
  return shown
}

/** Unified diff of two states of a file, in text or in a sentence where text would not help; never longer than `limit`. */
export function showDiff(path: string, before: Uint8Array, after: Uint8Array, limit = 200_000): string {
  const [old, fresh] = [decodeNote(before), decodeNote(after)]
  if (old.encoding === 'invalid' || fresh.encoding === 'invalid') return `${sizes(before, after)}, not UTF-8\n`
  const isShort = before.length + after.length <= textLimit
  const compared = isShort
    ? createTwoFilesPatch(path, path, old.text, fresh.text, undefined, undefined, {
        context: 3,
        timeout: 1000,
        headerOptions: FILE_HEADERS_ONLY,
      })
    : undefined
  const fits = compared !== undefined && compared.length <= limit
  const diff = fits ? compared : plainDiff(path, old.text, fresh.text, limit)
  return diff.length <= limit ? diff : `${diff.slice(0, limit)}\n(diff cut after ${limit} characters)\n`
}

const noBytes = new Uint8Array()
const textLimit = 8 << 20

/**
 * For texts too long or too different to compare: everything between the first and the last difference. Removed lines
 * are cut before added ones, since the user must see what they approve.
 */
function plainDiff(path: string, before: string, after: string, limit: number): string {
  const start = commonLines(before, after)
  const [old, fresh] = [before.slice(start), after.slice(start)]
  const end = commonEndLines(old, fresh)
  const removed = marked('-', old.slice(0, old.length - end))
  const added = marked('+', fresh.slice(0, fresh.length - end))
  const room = Math.max(limit >> 2, limit - added.length - 500)
  const line = before.slice(0, start).split('\n').length
  const shown =
    removed.length <= room ? removed : `${removed.slice(0, room)}\n(${removed.length - room} more characters removed)\n`
  return `--- ${path}\n+++ ${path}\n@@ -${line} +${line} @@\n${shown}${added}`
}

/** Characters of the whole lines with which both begin. */
function commonLines(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return one.lastIndexOf('\n', at - 1) + 1
}

/** Characters of the whole lines with which both end. */
function commonEndLines(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(one.length - 1 - length) === other.charCodeAt(other.length - 1 - length))
    length++
  const lineFeed = one.indexOf('\n', one.length - length)
  return lineFeed < 0 ? 0 : one.length - lineFeed - 1
}

function marked(mark: '-' | '+', text: string): string {
  if (text === '') return ''
  const isWhole = text.endsWith('\n')
  const lines = `${mark}${(isWhole ? text.slice(0, -1) : text).replaceAll('\n', `\n${mark}`)}\n`
  return isWhole ? lines : `${lines}\\ No newline at end of file\n`
}

function sizes(before: Uint8Array, after: Uint8Array): string {
  return `${before.length} bytes become ${after.length} bytes`
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(start.length + end.length)
  bytes.set(start)
  bytes.set(end, start.length)
  return bytes
}

/** A line of a diff with its number in the text it belongs to. */
export interface NumberedLine {
  number: number
  text: string
}

export type DiffPart =
  /** Lines that went and lines that came in their place; one of the two may be empty. */
  | { kind: 'replaced'; removed: NumberedLine[]; added: NumberedLine[] }
  | { kind: 'kept'; line: NumberedLine }
  /** Lines left out between two places. */
  | { kind: 'gap' }
  /** Words about the diff instead of a diff: "too long to compare". */
  | { kind: 'remark'; text: string }

/** Reads a unified diff of one file. Text that is no diff comes back as remarks. */
export function diffParts(diff: string): DiffPart[] {
  const parts: DiffPart[] = []
  let [oldLine, newLine] = [0, 0]
  let [removed, added]: [NumberedLine[], NumberedLine[]] = [[], []]
  const flush = () => {
    if (removed.length + added.length > 0) parts.push({ kind: 'replaced', removed, added })
    removed = []
    added = []
  }
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    const isInside = oldLine + newLine > 0
    if (hunk !== null) {
      flush()
      if (isInside) parts.push({ kind: 'gap' })
      ;[oldLine, newLine] = [Number(hunk[1]), Number(hunk[2])]
    } else if (!isInside) {
      if (line !== '' && !/^(Index: |=+$|--- |\+\+\+ )/.test(line)) parts.push({ kind: 'remark', text: line })
    } else if (line.startsWith('-')) removed.push({ number: oldLine++, text: line.slice(1) })
    else if (line.startsWith('+')) added.push({ number: newLine++, text: line.slice(1) })
    else if (line.startsWith(' ')) {
      flush()
      parts.push({ kind: 'kept', line: { number: newLine++, text: line.slice(1) } })
      oldLine++
    } else if (line !== '' && !line.startsWith('\\')) {
      flush()
      parts.push({ kind: 'remark', text: line })
    }
  }
  flush()
  return parts
}

/** A piece of a line; `changed` where only this side has it. */
export interface WordPart {
  text: string
  changed: boolean
}

/** Longer lines are compared as wholes: word differences would not be readable. */
const longestLine = 2000

/** A replaced line and the one in its place, each with the words that differ set apart. */
export function changedWords(before: string, after: string): { before: WordPart[]; after: WordPart[] } {
  const whole = { before: [{ text: before, changed: false }], after: [{ text: after, changed: false }] }
  if (before.length + after.length > longestLine) return whole
  const parts = diffWordsWithSpace(before, after)
  // A hidden character may belong to a character of the next part, and they must not be separated.
  if (parts.some(({ value }) => visibleText(value).text !== value)) return whole
  return {
    before: parts.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, changed: removed })),
    after: parts.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added })),
  }
}
