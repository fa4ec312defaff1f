import { type Region, scanNote } from '../../markdown/index.js'

/** A stretch of a note that can be quoted by itself: a sentence, a list item, a row of a table, a property. */
export interface Unit {
  /** The note's own characters; only line breaks have become spaces. */
  text: string
  heading?: string
}

const longestItem = 280
const shortSentence = 25
const longestPiece = 1000

/** Takes a note or a passage apart. Code, formulas and comments are not quoted. */
export function quotableUnits(text: string, firstHeading?: string, isStart = false): Unit[] {
  const { headings, regions, frontmatter, lineStarts } = scanNote(text)
  const isUnquotable = lineTest(regions, text)
  const units: Unit[] =
    isStart && frontmatter ? propertiesIn(text.slice(frontmatter.yaml.start, frontmatter.yaml.end)) : []
  let nextHeading = 0
  let heading = firstHeading
  let paragraph: string[] = []
  let isItem = false

  const add = (quotable: string) => {
    if (/[\p{L}\p{N}]/u.test(quotable)) units.push({ text: quotable, ...(heading !== undefined && { heading }) })
  }
  const endParagraph = () => {
    const joined = paragraph.join(' ')
    const sentences = isItem && joined.length <= longestItem ? [joined] : sentencesIn(joined)
    for (const sentence of sentences) add(sentence.replace(/\s\^[\w-]+$/, '').trim())
    paragraph = []
    isItem = false
  }

  for (const [at, start] of lineStarts.entries()) {
    const end = lineStarts[at + 1] ?? text.length
    if (start < (frontmatter?.end ?? 0)) continue
    const line = text.slice(start, end).trim()
    if (nextHeading < headings.length && headings[nextHeading].start < end) {
      endParagraph()
      heading = headings[nextHeading++].text
    } else if (line === '' || isUnquotable(start, end)) endParagraph()
    else if (isRow(line)) {
      endParagraph()
      const cells = line.slice(1, -1).trim()
      if (!/^[\s|:-]*$/.test(cells) && cells.length <= longestPiece) add(cells)
    } else {
      const bare = line.replace(/^(?:>\s?)+/, '').trimStart()
      const item = /^(?:[-*+]|\d{1,9}[.)])\s+(?:\[.\]\s+)?/.exec(bare)?.[0]
      const callout = /^\[![\w-]+\][+-]?\s*/.exec(bare)?.[0]
      if (item !== undefined || callout !== undefined) endParagraph()
      isItem ||= item !== undefined
      paragraph.push(bare.slice((item ?? callout ?? '').length))
      if (callout !== undefined) endParagraph()
    }
  }
  endParagraph()
  return units
}

/** Tells whether a line belongs to a region that is not quoted. A formula inside a sentence is part of it. */
function lineTest(regions: readonly Region[], text: string): (start: number, end: number) => boolean {
  const isBlock = ({ kind, start, end }: Region) =>
    kind === 'math' ? text.slice(start, end).includes('\n') : kind !== 'code-span' && kind !== 'frontmatter'
  const blocks = regions.filter(isBlock).sort((a, b) => a.start - b.start)
  let next = 0
  return (start, end) => {
    while (next < blocks.length && blocks[next].end <= start) next++
    return next < blocks.length && blocks[next].start < end
  }
}

/** Properties with one plain value; lists and links are for the index. */
function propertiesIn(yaml: string): Unit[] {
  const isPlain = (line: string) => /^[\p{L}_][\p{L}\p{N}_ -]*:\s+[^[{"'|>\s]/u.test(line) && !line.includes('[[')
  const lines = yaml.split(/\r?\n/).filter((line) => isPlain(line) && line.length <= longestPiece)
  return lines.map((line) => ({ text: line.trim() }))
}

const isRow = (line: string): boolean => /^\|.*\|$/.test(line)

/** No sentence ends inside a link, a formula or code. */
function masked(text: string): string {
  const { links, regions } = scanNote(text)
  let mask = ''
  for (const { start, end } of [...links, ...regions].sort((a, b) => a.start - b.start)) {
    if (start >= mask.length) mask += text.slice(mask.length, start) + 'x'.repeat(end - start)
  }
  return mask + text.slice(mask.length)
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Very short sentences stay with the one after them: "Eggshells. They walk over them." */
function sentencesIn(text: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const { segment, index } of segmenter.segment(masked(text))) {
    open += text.slice(index, index + segment.length)
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
