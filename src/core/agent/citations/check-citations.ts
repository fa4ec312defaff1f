import { Failure } from '../../errors.js'
import { readableText } from '../../markdown/index.js'
import { meantText } from '../../text/index.js'
import type { ToolContext } from '../../tools/index.js'
import type { StoredNote } from '../../vault-index/index.js'
import type { Citation } from './citation.js'
import { findCitations, type NamedPlace } from './find-citations.js'

const mostCitations = 100
/** More than this nobody quotes, and it is more than a pattern can hold. */
const longestQuote = 100_000

/** Looks up every note an answer names and compares what it quotes with what is there now. */
export async function checkCitations(
  answer: string,
  { index, vault, signal }: Pick<ToolContext, 'index' | 'vault' | 'signal'>,
): Promise<Citation[]> {
  const citations: Citation[] = []
  for (const place of findCitations(answer).slice(0, mostCitations)) {
    signal.throwIfAborted()
    const note = await find(place.target, index)
    const file = note && (await vault.read(note.path))
    if (note === undefined || file === undefined) citations.push({ raw: place.raw, check: 'missing' })
    else citations.push(checked(place, note, file.text))
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

function checked(place: NamedPlace, note: StoredNote, text: string): Citation {
  const { raw, subpath, quote, lines } = place
  const about: Omit<Citation, 'check'> = { path: note.path, raw, ...(quote && { quote }), ...(lines && { lines }) }
  if (subpath?.startsWith('^')) {
    const block = note.blocks.find(({ id }) => id.toLowerCase() === subpath.slice(1).toLowerCase())
    if (block === undefined) return { ...about, check: 'missing' }
    about.block = block.id
    about.lines ??= [block.line, block.line]
  } else if (subpath) {
    const last = subpath.split('#').at(-1)!
    const heading = note.headings.find((candidate) => sameHeading(candidate.text, last))
    if (heading === undefined) return { ...about, check: 'missing' }
    about.heading = heading.text
    about.lines ??= [heading.line, heading.line]
  }
  if (quote === undefined) return { ...about, check: 'unquoted' }
  // A quotation may leave out the marks that set its words, and have those that a tool made of hidden characters.
  const meant = meantText(quote)
  const found = linesOf(text, quote) ?? linesOf(text, meant) ?? linesOf(readableText(text), meant)
  return found ? { ...about, lines: found, check: 'verbatim' } : { ...about, check: 'differs' }
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

/** As links compare headings: without case, marks that a link cannot hold, and doubled spaces. */
function sameHeading(a: string, b: string): boolean {
  const folded = (text: string) =>
    text
      .toLowerCase()
      .replace(/[#^|[\]\\:]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return folded(a) === folded(b)
}
