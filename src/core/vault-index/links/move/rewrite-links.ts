import type { LinkKind, Span } from '../../../markdown/index.js'
import type { NotePath } from '../../../vault/index.js'
import { linkKey } from '../link-key.js'
import { type LinkForm, resolveLink } from '../resolve-link.js'
import { encodeTarget, unlinkable } from './encode-target.js'
import { linkFate } from './link-fate.js'
import { noteLinks, type PlacedLink } from './note-links.js'
import { cannotBeLinked, type LinkFate, type Renaming } from './renaming.js'

export interface TextEdit extends Span {
  text: string
}

export interface RewrittenNote {
  text: string
  /** What was put where, in order; the places are those of the old text. */
  edits: TextEdit[]
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
  const captured = expected.filter(({ fate }) => fate?.isCaptured).length
  const kinds: LinkKind[] = []
  const outOfReach: PlacedLink[] = []
  const edits: TextEdit[] = []
  for (const each of expected) {
    const { link, fate } = each
    if (fate?.written === undefined) continue
    if (link.targetSpan === undefined) {
      outOfReach.push(link)
      each.fate = { target: resolveLink(renaming.after, newSource, link.target, formOfSyntax(link)) }
      continue
    }
    kinds.push(link.kind)
    edits.push(editOf(renaming, link, link.targetSpan, fate, text))
  }
  if (edits.length === 0) return { text, edits, kinds, captured, outOfReach }

  edits.sort((a, b) => a.start - b.start)
  const rewritten = splice(text, edits)
  verify(renaming, newSource, expected, edits, rewritten)
  return { text: rewritten, edits, kinds, captured, outOfReach }
}

interface Expected {
  link: PlacedLink
  /** Left out for a link that the move does not concern. */
  fate?: LinkFate
}

function expectedLinks(renaming: Renaming, source: NotePath, text: string): Expected[] {
  return noteLinks(text, renaming.before.reading).map((link) =>
    isConcerned(renaming, source, link)
      ? { link, fate: linkFate(renaming, source, link.target, formOfSyntax(link)) }
      : { link },
  )
}

/** Where a folder moves, links to what is not there go with it. */
function isConcerned({ keys, moved, folder }: Renaming, source: NotePath, { target }: PlacedLink): boolean {
  return folder !== undefined || moved.has(source) || keys.has(linkKey(target)) || keys.has(linkKey(target.trim()))
}

const formOfSyntax = ({ syntax }: PlacedLink): LinkForm => (syntax === 'wiki' ? 'wiki' : 'markdown')

function editOf(
  { after }: Renaming,
  link: PlacedLink,
  span: Span,
  { written = '', target }: LinkFate,
  text: string,
): TextEdit {
  const impossible = unlinkable(written, link, after.reading)
  if (impossible.length > 0) throw cannotBeLinked(target ?? written, impossible.join(' '))
  return { start: span.start, end: span.end, text: encodeTarget(written, link, span, text) }
}

/** How many links must be written anew. */
export function countLinksToRewrite(renaming: Renaming, source: NotePath, text: string): number {
  return expectedLinks(renaming, source, text).filter(({ fate }) => fate?.written !== undefined).length
}

export function splice(text: string, edits: readonly TextEdit[]): string {
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
function verify({ after }: Renaming, newSource: NotePath, expected: Expected[], edits: TextEdit[], text: string): void {
  const found = noteLinks(text, after.reading)
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
      (fate === undefined
        ? reread.target !== link.target
        : resolveLink(after, newSource, reread.target, formOfSyntax(reread)) !== fate.target)
    )
  })
  if (wrong === undefined && found.length === expected.length) return
  const markup = new Set(edits.flatMap((edit) => edit.text.match(/[`$%<>&\\!~*_'"]/g) ?? []))
  if (markup.size > 0) throw cannotBeLinked(wrong?.fate?.target ?? newSource, [...markup].join(' '))
  throw new Error(`A rewritten link in ${newSource} does not read back: ${wrong?.link.raw ?? 'there is one too many'}`)
}

/** Where an offset of the old text is in the new one. */
function shifts(edits: readonly TextEdit[]): (offset: number) => number {
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
