import { broken, type ReadLine, type RegionKind, readLines, scanNote } from '../../markdown/index.js'
import { meantText } from '../../text/index.js'

/** Something a note says that can be told by itself: a sentence, a list item, a row of a table, a property. */
export interface Unit {
  /** As it is read, without markup. */
  text: string
  heading?: string
  /** A property is told; it is no sentence to quote. */
  isProperty?: true
}

const longestItem = 280
const shortSentence = 25
const longestPiece = 1000

/**
 * Takes a note or a passage apart, as a tool showed it. Code, formulas and comments are not quoted; where a section is
 * nothing else, its heading is what it says.
 */
export function quotableUnits(shown: string, firstHeading?: string, isStart = false): Unit[] {
  const text = meantText(shown)
  const { headings, frontmatter, regions, lineStarts } = scanNote(text)
  const units: Unit[] =
    isStart && frontmatter ? propertiesIn(text.slice(frontmatter.yaml.start, frontmatter.yaml.end)) : []
  const headingAt = new Map(headings.map(({ line, text: title }) => [line - 1, title]))
  let heading = firstHeading
  let paragraph: ReadLine[] = []
  /** The heading of a section of which nothing was told yet, and where it begins. */
  let untold: { words: string; from: number } | undefined

  const add = (quotable: string) => {
    if (!isWords(quotable)) return
    units.push({ text: quotable, ...(heading !== undefined && { heading }) })
    untold = undefined
  }
  const endSection = (end: number) => {
    const { words, from } = untold ?? { words: '', from: end }
    if (regions.some(({ kind, start }) => isBlock.has(kind) && start >= from && start < end)) add(words)
    untold = undefined
  }
  const endParagraph = () => {
    const joined = paragraph.map(({ words }) => words).join(' ')
    const isShortItem = paragraph[0]?.kind === 'item' && joined.length <= longestItem
    for (const sentence of isShortItem ? [joined] : sentencesIn(joined)) add(broken(sentence).trim())
    paragraph = []
  }

  for (const [at, line] of readLines(text).entries()) {
    const { words, kind } = line
    if (words === '' || kind !== 'text') endParagraph()
    if (kind === 'heading') {
      endSection(lineStarts[at])
      heading = headingAt.get(at) ?? heading
      untold = { words, from: lineStarts[at] }
    } else if (kind === 'row' && words.length <= longestPiece) add(broken(words))
    else if (kind !== 'loose-row' && kind !== 'row' && words !== '') paragraph.push(line)
    if (kind === 'title') endParagraph()
  }
  endParagraph()
  endSection(text.length)
  return units
}

const isBlock: ReadonlySet<string> = new Set<RegionKind>(['fence', 'indented-code', 'html'])

const markup = /[|`]|\*\*|~~|\[\[|\]\]|\]\(|%%|<\/?[a-z][^<>]*>|<!|&[a-z]+;|---/i

/** Something to read, in which no mark was left: what a passage cuts in two cannot be cleaned. */
const isWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && !markup.test(text)

/** Properties with one plain value; lists and links are for the index. */
function propertiesIn(yaml: string): Unit[] {
  const isPlain = (line: string) => /^[\p{L}_][\p{L}\p{N}_ -]*:\s+[^[{"'|>\s]/u.test(line) && isWords(line)
  const lines = yaml.split(/\r?\n/).filter((line) => isPlain(line) && line.length <= longestItem)
  return lines.map((line) => ({ text: line.trim(), isProperty: true }))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Very short sentences stay with the one after them: "Eggshells. They walk over them." */
function sentencesIn(text: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const { segment } of segmenter.segment(text)) {
    open += segment
    if (open.trim().length < shortSentence && !/[。！？]\s*$/.test(open)) continue
    sentences.push(open)
    open = ''
  }
  if (open.trim() !== '') sentences.push(open)
  return sentences.flatMap(piecesOf)
}

/** A sentence that never ends is quoted in pieces. */
function piecesOf(sentence: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < sentence.length; ) {
    const limit = from + longestPiece
    const space = sentence.length <= limit ? sentence.length : sentence.lastIndexOf(' ', limit)
    const isHalf = /[\ud800-\udbff]/.test(sentence[limit - 1] ?? '')
    const end = space > from + longestPiece / 2 || sentence.length <= limit ? space : isHalf ? limit - 1 : limit
    pieces.push(sentence.slice(from, end))
    from = end
  }
  return pieces
}
