import type { RegionKind, ScannedNote } from './scanned-note.js'

/** Size limits of the passages that search scores and shows. */
export const chunkLimits = {
  /** A chunk ends before the block that would exceed this many words. */
  words: 200,
  /** A list, table or paragraph is split at line ends only beyond this many times `words`. */
  block: 1.5,
  /** A fence is split at line ends only beyond this many times `words`. */
  fence: 4,
  /** No chunk is longer, however few words it holds. */
  characters: 4000,
  /** A longer block is split, and a giant line cut: this leaves room for the heading above. */
  piece: 3600,
}

/** Cuts a note's body into passages: whole sections where they are short, else runs of paragraphs. */
export function chunkNote(text: string, scan: ScannedNote): Chunk[] {
  const blocks = blocksOf(text, scan).flatMap((block) => parts(text, scan, block))
  measureSections(blocks)
  const chunks: Chunk[] = []
  let first: Block | undefined
  let last: Block | undefined
  let words = 0
  let isHeadingOnly = true
  for (const block of blocks) {
    if (first !== undefined && last !== undefined && !joins(first, block, words, isHeadingOnly)) {
      chunks.push(chunkOf(text, scan, first, last, chunks.length))
      first = undefined
      words = 0
      isHeadingOnly = true
    }
    first ??= block
    last = block
    words += block.words
    if (block.level === 0) isHeadingOnly = false
  }
  if (first !== undefined && last !== undefined) chunks.push(chunkOf(text, scan, first, last, chunks.length))
  return chunks
}

/** A passage of a note, the unit that search scores and shows. Chunks of a note are in order and do not overlap. */
export interface Chunk {
  /** Position among the note's chunks, from 0. */
  ordinal: number
  /** Text of the nearest heading above or at the chunk's start; '' before the first. */
  heading: string
  /** UTF-16 offsets into the note's text. */
  start: number
  end: number
  /** First and last line, 1-based, inclusive. */
  lines: [number, number]
  text: string
}

const maxHeadingLength = 500

/** Lines that stay together: a heading, a paragraph, a list without blank lines, a fence. Lines count from 0. */
interface Block {
  start: number
  end: number
  firstLine: number
  lastLine: number
  words: number
  /** Level when the block is a heading, else 0. */
  level: number
  /** Index of the nearest heading at or above the block, or -1. */
  heading: number
  hasFence: boolean
  /** For a heading: words from it to the next heading. */
  sectionWords: number
}

function joins(first: Block, block: Block, words: number, isHeadingOnly: boolean): boolean {
  if (block.end - first.start > chunkLimits.characters) return false
  // A heading alone is no passage, so it joins the next block.
  if (isHeadingOnly) return true
  if (block.level === 0) return words + block.words <= chunkLimits.words
  // Sibling and child sections join while they fit as a whole; a section of a higher level starts a new chunk.
  return block.level >= first.level && words + block.sectionWords <= chunkLimits.words
}

function measureSections(blocks: Block[]): void {
  let words = 0
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index]
    if (block === undefined) continue
    words += block.words
    if (block.level === 0) continue
    block.sectionWords = words
    words = 0
  }
}

function chunkOf(text: string, scan: ScannedNote, first: Block, last: Block, ordinal: number): Chunk {
  return {
    ordinal,
    // Every chunk carries its heading, so a very long one would be stored thousands of times.
    heading: (scan.headings[first.heading]?.text ?? '').slice(0, maxHeadingLength),
    start: first.start,
    end: last.end,
    lines: [first.firstLine + 1, last.lastLine + 1],
    text: text.slice(first.start, last.end),
  }
}

/** Splits the body at blank lines and headings, but not inside a fence, a math block or an HTML comment. */
function blocksOf(text: string, scan: ScannedNote): Block[] {
  const { headings, regions, lineStarts } = scan
  const blocks: Block[] = []
  const bodyStart = scan.frontmatter?.end ?? (text.charCodeAt(0) === 0xfeff ? 1 : 0)
  let block: Block | undefined
  let heading = 0
  let region = 0
  let wholeUntil = 0

  for (let line = 0; line < lineStarts.length; line++) {
    if ((lineStarts[line] ?? 0) < bodyStart && lineEnd(text, lineStarts, line) <= bodyStart) continue
    const span = trimmedLine(text, lineStarts, line, bodyStart)
    const { start, end } = span
    if (start === end) {
      if (start >= wholeUntil) block = undefined
      continue
    }
    let level = 0
    const nextHeading = headings[heading]
    if (nextHeading !== undefined && nextHeading.start < end) {
      level = nextHeading.level
      wholeUntil = nextHeading.end
      heading++
    }
    if (block === undefined || level > 0 || (block.level > 0 && start >= wholeUntil)) {
      const at = heading - 1
      block = {
        start,
        end,
        firstLine: line,
        lastLine: line,
        words: 0,
        level,
        heading: at,
        hasFence: false,
        sectionWords: 0,
      }
      blocks.push(block)
    }
    block.end = end
    block.lastLine = line
    block.words += countWords(text, start, end)
    for (let next = regions[region]; next !== undefined && next.start < end; next = regions[++region]) {
      if (!staysWhole(next.kind)) continue
      if (next.end > wholeUntil) wholeUntil = next.end
      if (next.kind === 'fence') block.hasFence = true
    }
  }
  return blocks
}

/** The block itself, or its parts when it is too long. */
function parts(text: string, scan: ScannedNote, block: Block): Block[] {
  const limit = chunkLimits.words * (block.hasFence ? chunkLimits.fence : chunkLimits.block)
  if (block.words <= limit && block.end - block.start <= chunkLimits.piece) return [block]
  const pieces: Block[] = []
  let piece: Block | undefined
  for (let line = block.firstLine; line <= block.lastLine; line++) {
    for (const { start, end } of lineParts(text, scan, line, block)) {
      const words = countWords(text, start, end)
      const isFull =
        piece !== undefined && (piece.words + words > chunkLimits.words || end - piece.start > chunkLimits.piece)
      if (piece === undefined || isFull) {
        piece = { ...block, start, firstLine: line, words: 0, level: pieces.length === 0 ? block.level : 0 }
        pieces.push(piece)
      }
      piece.end = end
      piece.lastLine = line
      piece.words += words
    }
  }
  return pieces
}

/** The content of a line; a giant line is cut at a space, or between characters if it has none. */
function lineParts(text: string, scan: ScannedNote, line: number, block: Block): { start: number; end: number }[] {
  const { start, end } = trimmedLine(text, scan.lineStarts, line, block.start)
  const cuts: { start: number; end: number }[] = []
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + chunkLimits.piece)
    if (to < end) {
      let space = to
      while (space > from && text.charCodeAt(space) !== 32) space--
      if (space > from + chunkLimits.piece / 2) to = space
      else if (isLowSurrogate(text.charCodeAt(to))) to--
    }
    cuts.push({ start: from, end: to })
    from = to
    while (from < end && text.charCodeAt(from) === 32) from++
  }
  return cuts
}

function staysWhole(kind: RegionKind): boolean {
  return kind === 'fence' || kind === 'math' || kind === 'html-comment'
}

/** Counts words; a CJK character counts as half a word, since those scripts have no spaces. */
function countWords(text: string, start: number, end: number): number {
  let halves = 0
  let wasBetween = 1
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code >= 0x2e80 && code <= 0xa4cf) {
      halves++
      wasBetween = 1
    } else {
      const isBetween = code <= 32 ? 1 : 0
      halves += (wasBetween & (isBetween ^ 1)) << 1
      wasBetween = isBetween
    }
  }
  return halves / 2
}

/** The line with its indentation, without trailing blanks and the line break. */
function trimmedLine(text: string, lineStarts: Int32Array, line: number, from: number): { start: number; end: number } {
  let end = lineEnd(text, lineStarts, line)
  let start = Math.max(lineStarts[line] ?? 0, Math.min(from, end))
  const first = start
  while (end > start && text.charCodeAt(end - 1) <= 32) end--
  while (start < end && text.charCodeAt(start) <= 32) start++
  // Indentation stays: it marks the depth of a list, and code.
  return { start: start === end ? start : first, end }
}

function lineEnd(text: string, lineStarts: Int32Array, line: number): number {
  return lineStarts[line + 1] ?? text.length
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}
