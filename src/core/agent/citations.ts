import { Failure } from '../errors.js'
import type { StoredNote } from '../index/index.js'
import { readableText, type Span, scanNote } from '../markdown/index.js'
import { originalText } from '../text/index.js'
import type { ToolContext } from '../tools/index.js'
import { isNote, type NotePath } from '../vault/index.js'

/** A place in the vault that an answer cites, and the result of checking its quotation. */
export interface Citation {
  /** undefined when no such note exists. */
  path?: NotePath
  /** As the answer wrote it; empty for a note that was only read. */
  raw: string
  /** The cited section. */
  heading?: string
  /** The cited block, without `^`. */
  block?: string
  /** Lines of the quote, 1-based, inclusive; without a quote, the lines that the answer names. */
  lines?: [number, number]
  /** The quoted words. */
  quote?: string
  /**
   * `verbatim`: the quote is in the note. `differs`: it is not. `unquoted`: nothing was quoted. `missing`: no such note or section.
   * `read`: the answer names no note, and this one was read for it.
   */
  check: 'verbatim' | 'differs' | 'unquoted' | 'missing' | 'read'
}

const mostCitations = 100
/** Longer texts are not quoted, and would exceed what a pattern can hold. */
const longestQuote = 100_000

/**
 * Looks up every note an answer names and compares its quotations with the current text. Notes in `changed` may be
 * quoted as they were before the turn.
 */
export async function checkCitations(
  answer: string,
  { index, vault, signal }: Pick<ToolContext, 'index' | 'vault' | 'signal'>,
  changed: ReadonlySet<NotePath> = new Set(),
): Promise<Citation[]> {
  const citations: Citation[] = []
  for (const place of findCitations(answer).slice(0, mostCitations)) {
    signal.throwIfAborted()
    const note = await find(place.target, index)
    const file = note && (await vault.read(note.path))
    if (note !== undefined && file !== undefined) {
      citations.push(checked(place, note, file.text, changed.has(note.path)))
    } else if (!isNamedIn(place.target, changed) && !(await isOtherFile(place.target, index))) {
      citations.push({ raw: place.raw, check: 'missing' })
    }
  }
  return citations
}

async function find(target: string, index: ToolContext['index']): Promise<StoredNote | undefined> {
  try {
    return await index.find(target)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** True if a link names one of these files: by its path or the end of it, with or without `.md`. */
function isNamedIn(target: string, paths: Iterable<NotePath>): boolean {
  const wanted = `/${target.replace(/^\.?\/+/, '')}`.toLowerCase()
  for (const path of paths) {
    const own = `/${path}`.toLowerCase()
    if (own.endsWith(wanted) || own.endsWith(`${wanted}.md`)) return true
  }
  return false
}

/** A picture, a PDF or a canvas: it has no text to compare a quotation with. */
async function isOtherFile(target: string, index: ToolContext['index']): Promise<boolean> {
  if (!/\.\w+$/.test(target)) return false
  return isNamedIn(
    target,
    (await index.files()).filter((path) => !isNote(path)),
  )
}

function checked(place: NamedPlace, note: StoredNote, text: string, isChanged: boolean): Citation {
  const { raw, subpath, lines } = place
  const quote = place.quote !== undefined && isNameOf(note, place.quote) ? undefined : place.quote
  const unquoted: Citation = { path: note.path, raw, ...(lines && { lines }), check: 'unquoted' }
  const about: Omit<Citation, 'check'> = { path: note.path, raw, ...(quote && { quote }), ...(lines && { lines }) }
  if (subpath?.startsWith('^')) {
    const block = note.blocks.find(({ id }) => id.toLowerCase() === subpath.slice(1).toLowerCase())
    if (block === undefined) return isChanged ? unquoted : { ...about, check: 'missing' }
    about.block = block.id
    about.lines ??= [block.line, block.line]
  } else if (subpath) {
    const last = subpath.slice(subpath.lastIndexOf('#') + 1)
    const heading = note.headings.find((candidate) => sameHeading(candidate.text, last))
    if (heading === undefined) return isChanged ? unquoted : { ...about, check: 'missing' }
    about.heading = heading.text
    about.lines ??= [heading.line, heading.line]
  }
  if (quote === undefined) return { ...about, check: 'unquoted' }
  // A quotation may omit formatting marks, or contain marks that a tool substituted for hidden characters.
  const meant = originalText(quote)
  const found = linesOf(text, quote) ?? linesOf(text, meant) ?? linesOf(readableText(text), meant)
  if (found) return { ...about, lines: found, check: 'verbatim' }
  // This turn may have removed the words.
  return isChanged ? unquoted : { ...about, check: 'differs' }
}

/** True if the quoted words are only the note's name: the note "Roof repair" ([[Roof repair]]). */
function isNameOf({ path, title, aliases }: StoredNote, words: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const names = [path, name, title, ...aliases].flatMap((each) => [each, each.replace(/\.md$/i, '')])
  return names.some((each) => each.toLowerCase() === words.trim().toLowerCase())
}

/** The lines a quotation stands on. Line breaks and runs of spaces may differ, letters may not. */
function linesOf(text: string, quote: string): [number, number] | undefined {
  const words = quote.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 || quote.length > longestQuote) return undefined
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s>]+')
  const match = new RegExp(pattern).exec(text)
  if (match === null) return undefined
  const first = lineAt(text, match.index)
  return [first, lineAt(text, match.index + match[0].length - 1)]
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Compares headings as links do: without case, characters a link cannot hold, and doubled spaces. */
function sameHeading(a: string, b: string): boolean {
  const folded = (text: string) =>
    text
      .toLowerCase()
      .replace(/[#^|[\]\\:]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return folded(a) === folded(b)
}

interface NamedPlace {
  raw: string
  /** Path or name of the note, without subpath. */
  target: string
  /** `#heading` or `#^block`, without the `#`. */
  subpath?: string
  lines?: [number, number]
  quote?: string
}

/**
 * The notes an answer names, in order, each with its quotation. Code is ignored.
 *
 * A quotation belongs to a note if the link follows it directly ("…" [[Note]]), after a dash or in brackets ("…" (from
 * [[Note]])), or if the link introduces it with a colon ([[Note]]: "…"). Other text between the two, as in `there is no
 * "X" in [[Note]]` or `I removed "X" from [[Note]]`, means no attribution, in any language.
 */
function findCitations(answer: string): NamedPlace[] {
  const places: NamedPlace[] = []
  let from = 0
  const quotations = markedQuotations(answer)
  const quoted = [...quotations, ...quotedLines(answer)]
  for (const link of scanNote(answer).links) {
    if (link.kind !== 'wikilink' && link.kind !== 'markdown' && link.kind !== 'embed') continue
    // A link inside a quotation belongs to the note, not to the answer.
    if (quoted.some(({ start, end }) => link.start > start && link.end < end)) continue
    const before = answer.slice(from, link.start)
    const after = answer.slice(link.end)
    const last = quotations.filter(({ start, end }) => start >= from && end <= link.start).at(-1)
    const isAttributed = last && isSource(answer.slice(last.end, link.start), after)
    const quote = blockBefore(before, after) ?? (isAttributed ? last.words : undefined) ?? introducedBy(after)
    from = link.end
    const lines = /^\s*[,(]?\s*lines?\s+(\d+)(?:\s*[-–]\s*(\d+))?/i.exec(after.slice(0, 40))
    const first = Number(lines?.[1])
    places.push({
      raw: answer.slice(link.start, link.end),
      target: link.target,
      ...(link.subpath && { subpath: link.subpath.replace(/^#/, '') }),
      ...(lines && { lines: [first, Number(lines[2] ?? first)] }),
      ...(quote !== undefined && { quote }),
    })
  }
  return places
}

interface Quotation extends Span {
  words: string
}

const marks =
  /"([^"\n]{3,})"|“([^”\n]{3,})”|«([^»\n]{3,})»|»([^«\n]{3,})«|„([^“”\n]{3,})[“”]|[「『]([^」』\n]{2,})[」』]/g

/** Words between quotation marks, unless only a link stands there. */
function markedQuotations(answer: string): Quotation[] {
  return [...answer.matchAll(marks)].flatMap(({ 0: whole, index }) => {
    if (/^.\s*\[\[[^\]]*\]\]\s*.$/s.test(whole)) return []
    return [{ start: index, end: index + whole.length, words: whole.slice(1, -1) }]
  })
}

/** Lines starting with `>`, each up to a closing `— [[Note]]`. */
function quotedLines(answer: string): Span[] {
  const spans: Span[] = []
  let start = 0
  for (const line of answer.split('\n')) {
    const source = /[—–(-]\s*\[\[[^\]\n]*\]\]\)?\s*$/.exec(line)
    if (/^\s*>/.test(line)) spans.push({ start: start - 1, end: start + (source?.index ?? line.length) + 1 })
    start += line.length + 1
  }
  return spans
}

/** Words that lead from a quotation to its source: "(from [[Note]])", "— Quelle: [[Note]]". */
const leading =
  '(?:(?:from|source|see|in|cf\\.?|aus|quelle|siehe|de|dans|voir|fuente|en|ver|véase|da|fonte|vedi|uit|bron|zie|из|источник|см\\.?|出典|来源)\\s*[:：]?\\s*)?'
const behind = /^[ \t]*\n?[ \t]*$/
const separated = new RegExp(`^[.,!?]?\\s*[(（[—–-]+\\s*${leading}$`, 'iu')

/** True if a link is the source of the quotation before it, by the text between them and after the link. */
function isSource(between: string, after: string): boolean {
  if (behind.test(between)) return true
  // "There is no "X" ([[Y]] is the nearest)": the link begins a clause of its own.
  return separated.test(between) && !/\n\s*\n/.test(between) && !/^\s*(?!lines?\b)[\p{L}\p{N}]/iu.test(after)
}

/** Lines that begin with `>` directly before the link, which may be on the last of them: `> — [[Note]]`. */
function blockBefore(before: string, after: string): string | undefined {
  const lines = before.split('\n')
  const last = lines.pop() ?? ''
  const isInside = last.trimStart().startsWith('>')
  // A link followed by a colon introduces the next text.
  if (!isInside && (/^\s*:/.test(after) || !leadsToLink.test(last))) return undefined
  if (isInside) lines.push(last)
  if (!isInside && lines.at(-1)?.trim() === '') lines.pop()
  let from = lines.length
  while (from > 0 && lines[from - 1]?.trimStart().startsWith('>')) from--
  return blockWords(lines.slice(from))
}

const leadsToLink = new RegExp(`^[\\s(（—–-]*${leading}[\\s(（—–-]*$`, 'iu')

/** `[[Note]]: "…"` up to the end of the line, or `[[Note]]:` and a block quote without a source of its own. */
function introducedBy(after: string): string | undefined {
  const colon = /^[ \t]*[:：][ \t]*/.exec(after)
  if (colon === null) return undefined
  const [rest = '', ...lines] = after.slice(colon[0].length).split('\n')
  if (rest.trim() !== '') {
    const [first] = markedQuotations(rest)
    return first?.start === 0 && /^[.,;!?]?\s*$/.test(rest.slice(first.end)) ? first.words : undefined
  }
  if (lines[0]?.trim() === '') lines.shift()
  const end = lines.findIndex((line) => !line.trimStart().startsWith('>'))
  const block = end === -1 ? lines : lines.slice(0, end)
  const hasSource = [block.at(-1), lines[block.length]].some((line) => /^[\s>]*[—–(-]+\s*\[/.test(line ?? ''))
  return hasSource ? undefined : blockWords(block)
}

function blockWords(lines: readonly string[]): string | undefined {
  const words = lines
    .map((line) => line.replace(/^\s*>[ \t]?/, ''))
    .join('\n')
    .trim()
    .replace(/[\s(—–-]+$/, '')
    .replace(/^["“„«]|["”“»]$/g, '')
  return words.length < 3 ? undefined : words
}
