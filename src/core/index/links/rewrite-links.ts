import { type LinkKind, type NoteLink, type Span, scanNote } from '../../markdown/index.js'
import type { LinkReading, NotePath } from '../../vault/index.js'
import { linkKey } from './file-names.js'
import { cannotBeLinked, type LinkAfterMove, linkAfterMove, type MoveContext } from './link-after-move.js'
import { type LinkForm, linkInReading, resolveLink } from './resolve-link.js'

// `!` is used inside the bounds of a binary search.

export interface TextEdit extends Span {
  text: string
}

interface RewrittenNote {
  text: string
  /** The edits in order, with positions in the old text. */
  edits: TextEdit[]
  /** Kinds of the rewritten links, one entry per link. */
  kinds: LinkKind[]
  /** Unresolved links that resolve to a moved file now. */
  captured: number
  /** Links to rewrite in a YAML string that folds or escapes them. */
  outOfReach: LocatedLink[]
}

/** Rewrites a note's links so that each keeps its target. Throws if one cannot be rewritten. */
export function rewriteLinks(context: MoveContext, source: NotePath, text: string): RewrittenNote {
  const newSource = context.moved.get(source) ?? source
  const expected = expectedLinks(context, source, text)
  const captured = expected.filter(({ outcome }) => outcome?.isCaptured).length
  const kinds: LinkKind[] = []
  const outOfReach: LocatedLink[] = []
  const edits: TextEdit[] = []
  for (const each of expected) {
    const { link, outcome } = each
    if (outcome?.written === undefined) continue
    if (link.targetSpan === undefined) {
      outOfReach.push(link)
      each.outcome = { target: resolveLink(context.after, newSource, link.target, formOfSyntax(link)) }
      continue
    }
    kinds.push(link.kind)
    edits.push(editOf(context, link, link.targetSpan, outcome, text))
  }
  if (edits.length === 0) return { text, edits, kinds, captured, outOfReach }

  edits.sort((a, b) => a.start - b.start)
  const rewritten = splice(text, edits)
  verifyRewrite(context, newSource, expected, edits, rewritten)
  return { text: rewritten, edits, kinds, captured, outOfReach }
}

interface ExpectedLink {
  link: LocatedLink
  /** Absent if the move does not affect the link. */
  outcome?: LinkAfterMove
}

function expectedLinks(context: MoveContext, source: NotePath, text: string): ExpectedLink[] {
  return locateLinks(text, context.before.reading).map((link) =>
    isAffected(context, source, link)
      ? { link, outcome: linkAfterMove(context, source, link.target, formOfSyntax(link)) }
      : { link },
  )
}

/** If a folder moves, links to missing files in it change too. */
function isAffected({ keys, moved, folder }: MoveContext, source: NotePath, { target }: LocatedLink): boolean {
  return folder !== undefined || moved.has(source) || keys.has(linkKey(target)) || keys.has(linkKey(target.trim()))
}

export const formOfSyntax = ({ syntax }: LocatedLink): LinkForm => (syntax === 'wiki' ? 'wiki' : 'markdown')

function editOf(
  { after }: MoveContext,
  link: LocatedLink,
  span: Span,
  { written = '', target }: LinkAfterMove,
  text: string,
): TextEdit {
  const impossible = unlinkableCharacters(written, link, after.reading)
  if (impossible.length > 0) throw cannotBeLinked(target ?? written, impossible.join(' '))
  return { start: span.start, end: span.end, text: encodeTarget(written, link, span, text) }
}

/** Counts the links that must be rewritten. */
export function countLinksToRewrite(context: MoveContext, source: NotePath, text: string): number {
  return expectedLinks(context, source, text).filter(({ outcome }) => outcome?.written !== undefined).length
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

/** Parses the new text and checks that every link is at its position and resolves to its target. */
function verifyRewrite(
  { after }: MoveContext,
  newSource: NotePath,
  expected: ExpectedLink[],
  edits: TextEdit[],
  text: string,
): void {
  const found = locateLinks(text, after.reading)
  const shift = offsetShift(edits)
  const wrong = expected.find(({ link, outcome }, at) => {
    const reread = found[at]
    return (
      reread === undefined ||
      reread.syntax !== link.syntax ||
      reread.kind !== link.kind ||
      reread.subpath !== link.subpath ||
      reread.start !== shift(link.start) ||
      reread.end !== shift(link.end) ||
      (outcome === undefined
        ? reread.target !== link.target
        : resolveLink(after, newSource, reread.target, formOfSyntax(reread)) !== outcome.target)
    )
  })
  if (wrong === undefined && found.length === expected.length) return
  const markup = new Set(edits.flatMap((edit) => edit.text.match(/[`$%<>&\\!~*_'"]/g) ?? []))
  if (markup.size > 0) throw cannotBeLinked(wrong?.outcome?.target ?? newSource, [...markup].join(' '))
  throw new Error(`A rewritten link in ${newSource} does not read back: ${wrong?.link.raw ?? 'there is one too many'}`)
}

/** Maps offsets of the old text to the new one. */
export function offsetShift(edits: readonly TextEdit[]): (offset: number) => number {
  const ends = edits.map(({ end }) => end)
  let total = 0
  const sums = edits.map(({ start, end, text }) => (total += text.length - (end - start)))
  return (offset) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low === 0 ? offset : offset + sums[low - 1]!
  }
}

/** A link within the vault. `targetSpan` is absent if YAML folding or escaping hides its position. */
export type LocatedLink = Omit<NoteLink, 'targetSpan'> & { targetSpan?: Span | undefined }

/**
 * A note's links within the vault. The scanner locates a property's link only if the source spells it once and
 * literally; this also finds links that YAML quotes (`''`, `\"`) or that occur twice in one string.
 */
export function locateLinks(text: string, reading: LinkReading): LocatedLink[] {
  const internal = scanNote(text).links.filter(({ kind }) => kind !== 'external')
  const links: LocatedLink[] = internal.map((link) => linkInReading(reading, link))
  let scalar = -1
  let cursor = -1
  return links.map((link) => {
    if (link.kind !== 'frontmatter' || isLocated(link)) return link
    if (link.start !== scalar) scalar = cursor = link.start
    const placed = findInScalar(text, link, cursor)
    if (placed === undefined) return { ...link, targetSpan: undefined }
    cursor = placed.end
    return placed
  })
}

function isLocated({ target, targetSpan }: LocatedLink): boolean {
  return target === '' || (targetSpan !== undefined && targetSpan.end > targetSpan.start)
}

/** The span of an unlocated link is the whole scalar between its quotes. */
function findInScalar(text: string, link: LocatedLink, from: number): LocatedLink | undefined {
  const quoted = (part: string): string => quoteForYaml(part, quoteAt(text, link.start - 1))
  const raw = quoted(link.raw)
  const start = text.indexOf(raw, from)
  const { targetSpan: within, subpathSpan: subpath } = scanNote(link.raw).links[0] ?? {}
  if (start < 0 || start + raw.length > link.end || within === undefined) return undefined
  const place = (at: number) => start + quoted(link.raw.slice(0, at)).length
  const placed = (span: Span): Span => ({ start: place(span.start), end: place(span.end) })
  return {
    ...link,
    start,
    end: start + raw.length,
    targetSpan: placed(within),
    ...(subpath && { subpathSpan: placed(subpath) }),
  }
}

type Quote = '"' | "'" | ''

export function quoteForYaml(text: string, quote: Quote): string {
  if (quote === "'") return text.replaceAll("'", "''")
  return quote === '"' ? text.replace(/["\\]/g, '\\$&') : text
}

function quoteAt(text: string, offset: number): Quote {
  const character = text[offset]
  return character === '"' || character === "'" ? character : ''
}

/** Encodes a subpath for the position of the link's old one. */
export function encodeSubpath(subpath: string, link: LocatedLink, span: Span, text: string): string {
  const parts = subpath.split('#')
  return parts.map((part) => encodeTarget(part, link, span, text)).join('#')
}

/** Encodes a path for the position of the link's old path, in the author's style. */
export function encodeTarget(path: string, link: LocatedLink, span: Span, text: string): string {
  const raw = text.slice(span.start, span.end)
  const encoded = link.syntax === 'wiki' ? path : encodeDestination(path, raw, link.angled ?? false)
  return link.kind === 'frontmatter' ? quoteForYaml(encoded, quoteAround(text, link.start)) : encoded
}

/** Characters of a path that this kind of link cannot express. */
export function unlinkableCharacters(path: string, link: LocatedLink, reading: LinkReading): string[] {
  // Obsidian reads `%23` as the start of a heading, too.
  const forbidden = link.syntax === 'wiki' ? /[#^[\]|]/g : reading === 'markdown' ? /[^\s\S]/g : /#/g
  // Characters that the link already contains are accepted.
  return [...new Set(path.match(forbidden))].filter((character) => !link.target.includes(character))
}

/** Obsidian encodes only spaces; other programs encode all non-ASCII letters. */
export function encodeDestination(path: string, raw: string, angled: boolean): string {
  const encodesLetters = /%[89a-f][0-9a-f]/i.test(raw)
  const encodesSpaces = !angled || raw.includes('%20')
  const keepsParentheses = angled || (/[()]/.test(raw) && isBalanced(path))
  return (
    path
      // These would end the destination, split table cells, or start code or math.
      .replace(/[%#<>|[\]`$\\]/g, percent)
      // This would start a query, unless the link already contains one as part of a name.
      .replace(/\?/g, (mark) => (raw.includes('?') ? mark : percent(mark)))
      // A name like `a&amp;b` would be read as `a&b`.
      .replace(/&(?=#?\w+;)/g, '%26')
      .replace(/^[a-z][a-z0-9+.-]*:/i, (scheme) => scheme.replace(':', '%3A'))
      .replace(/[()]/g, (character) => (keepsParentheses ? character : percent(character)))
      .replace(/\s/g, (space) => (encodesSpaces || space !== ' ' ? percent(space) : space))
      .replace(/[^\0-\x7f]+/g, (letters) => (encodesLetters ? percent(letters) : letters))
  )
}

function percent(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

function isBalanced(path: string): boolean {
  let open = 0
  for (const character of path) {
    if (character === '(') open++
    if (character === ')' && --open < 0) return false
  }
  return open === 0
}

/** The YAML quote character around this position. */
export function quoteAround(text: string, at: number): Quote {
  let quote: Quote = ''
  for (let i = text.lastIndexOf('\n', at - 1) + 1; i < at; i++) {
    const character = text[i]
    const isEscape = (quote === '"' && character === '\\') || (quote === "'" && text.startsWith("''", i))
    if (isEscape) i++
    else if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'") && /[\s:,[{-]/.test(text[i - 1] ?? ' ')) {
      quote = character
    }
  }
  return quote
}
