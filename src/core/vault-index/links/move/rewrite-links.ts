import type { LinkKind, Span } from '../../../markdown/index.js'
import { folderOf, type NotePath, pathFailure } from '../../../vault/index.js'
import type { FileNames } from '../file-names.js'
import { isRelative, joinRelative, resolveLink } from '../resolve-link.js'
import { encodeTarget, unlinkable } from './encode-target.js'
import { noteLinks, type PlacedLink } from './note-links.js'
import { type Respelling, relativeLink, respellLink, spellsOldPath } from './respell-link.js'

/** The names before and after, and which files move: what decides about every link. */
export interface Renaming {
  before: FileNames
  after: FileNames
  moved: ReadonlyMap<NotePath, NotePath>
}

export interface RewrittenNote {
  text: string
  /** Kinds of the links that were written anew, one entry per link. */
  kinds: LinkKind[]
  /** Links that led nowhere and lead to a moved file now. */
  captured: number
  /** Links that ought to be written anew but stand in a YAML string that folds or escapes them out of reach. */
  outOfReach: PlacedLink[]
}

/** Writes a note's links so that each leads where it led before the move. Throws rather than miss one. */
export function rewriteLinks(renaming: Renaming, source: NotePath, text: string): RewrittenNote {
  const newSource = renaming.moved.get(source) ?? source
  const expected = expectedLinks(renaming, source, text)
  const captured = expected.filter(({ fate }) => fate.isCaptured).length
  const kinds: LinkKind[] = []
  const outOfReach: PlacedLink[] = []
  const edits: Edit[] = []
  for (const each of expected) {
    const { link, fate } = each
    if (fate.written === undefined) continue
    if (link.targetSpan === undefined) {
      outOfReach.push(link)
      each.fate = { target: resolveLink(renaming.after, newSource, link.target) }
      continue
    }
    kinds.push(link.kind)
    edits.push(editOf(link, link.targetSpan, fate, text))
  }
  if (edits.length === 0) return { text, kinds, captured, outOfReach }

  edits.sort((a, b) => a.start - b.start)
  const rewritten = splice(text, edits)
  verify(renaming, newSource, expected, edits, rewritten)
  return { text: rewritten, kinds, captured, outOfReach }
}

interface Expected {
  link: PlacedLink
  fate: LinkFate
}

function expectedLinks(renaming: Renaming, source: NotePath, text: string): Expected[] {
  return noteLinks(text).map((link) => ({
    link,
    fate: linkFate(renaming, source, link.target, link.syntax !== 'wiki'),
  }))
}

function editOf(link: PlacedLink, span: Span, { written = '', target }: LinkFate, text: string): Edit {
  const impossible = unlinkable(written, link)
  if (impossible.length > 0) throw cannotBeLinked(target ?? written, impossible.join(' '))
  return { start: span.start, end: span.end, text: encodeTarget(written, link, span, text) }
}

export function hasLinksToRewrite(renaming: Renaming, source: NotePath, text: string): boolean {
  return expectedLinks(renaming, source, text).some(({ fate }) => fate.written !== undefined)
}

export interface LinkFate {
  /** Where the link must lead after the move. */
  target: NotePath | null
  /** Its new path part, where it must be written anew. */
  written?: string
  isCaptured?: boolean
}

/** What becomes of one link, told from its path part alone. */
export function linkFate(renaming: Renaming, source: NotePath, written: string, isMarkdown: boolean): LinkFate {
  const { before, after, moved } = renaming
  const newSource = moved.get(source) ?? source
  const target = resolveLink(before, source, written)
  const now = resolveLink(after, newSource, written)
  if (target === null) return now === null ? { target } : strayFate(renaming, source, written, now)

  const newTarget = moved.get(target) ?? target
  const link: Respelling = { written, isMarkdown, source, target, newSource, newTarget }
  const isStale = written !== '' && newTarget !== target && spellsOldPath(link)
  if (now === newTarget && !isStale) return { target: newTarget }
  const respelled = respellLink(after, link)
  if (respelled === undefined) throw cannotBeLinked(newTarget, 'a space at an end of a name')
  return respelled === written ? { target: newTarget } : { target: newTarget, written: respelled }
}

/**
 * A link to a note that does not exist. If the new name is the one it waits for, it now leads there, as in Obsidian.
 * But a relative one must not find another note only because the note it stands in has moved.
 */
function strayFate({ after, moved }: Renaming, source: NotePath, written: string, now: NotePath): LinkFate {
  const newSource = moved.get(source)
  if (newSource !== undefined && isRelative(written)) {
    const kept = relativeLink(newSource, joinRelative(folderOf(source), written))
    if (resolveLink(after, newSource, kept) === null) return { target: null, written: kept }
  }
  return { target: now, isCaptured: true }
}

interface Edit extends Span {
  text: string
}

function splice(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let done = 0
  for (const edit of edits) {
    pieces.push(text.slice(done, edit.start), edit.text)
    done = edit.end
  }
  pieces.push(text.slice(done))
  return pieces.join('')
}

/** Reads the new text as any reader will, and insists that every link stands where it stood and leads where it must. */
function verify({ after }: Renaming, newSource: NotePath, expected: Expected[], edits: Edit[], text: string): void {
  const found = noteLinks(text)
  const shift = shifts(edits)
  const wrong = expected.find(({ link, fate }, at) => {
    const reread = found[at]
    return (
      reread === undefined ||
      reread.syntax !== link.syntax ||
      reread.kind !== link.kind ||
      reread.subpath !== link.subpath ||
      reread.start !== shift(link.start) ||
      reread.end !== shift(link.end) ||
      resolveLink(after, newSource, reread.target) !== fate.target
    )
  })
  if (wrong === undefined && found.length === expected.length) return
  const markup = new Set(edits.flatMap((edit) => edit.text.match(/[`$%<>&\\!~*_'"]/g) ?? []))
  if (markup.size > 0) throw cannotBeLinked(wrong?.fate.target ?? newSource, [...markup].join(' '))
  throw new Error(`A rewritten link in ${newSource} does not read back: ${wrong?.link.raw ?? 'there is one too many'}`)
}

/** Where an offset of the old text is in the new one. */
function shifts(edits: readonly Edit[]): (offset: number) => number {
  const ends = edits.map(({ end }) => end)
  let total = 0
  const sums = edits.map(({ start, end, text }) => (total += text.length - (end - start)))
  return (offset) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle] <= offset) low = middle + 1
      else high = middle
    }
    return low === 0 ? offset : offset + sums[low - 1]
  }
}

function cannotBeLinked(path: string, characters: string) {
  return pathFailure(path, `links to it could not be written, because the name has ${characters}`)
}
