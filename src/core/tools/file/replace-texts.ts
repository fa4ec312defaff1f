import { Failure } from '../../errors.js'
import { listHunks } from '../../vault/index.js'
import { type FoundText, findText, searchableNote, type TextReplacement } from './find-text.js'
import { lineBreakOf, withLineBreaks } from './written-text.js'

// `!` is used on lines and places below the length that the loop checks, and on the dividing lines of a complete block.

export interface ReplacedText {
  text: string
  /** The places of the new texts in `text`, in order. */
  places: (TextPlace & { isFuzzy: boolean })[]
  /** Line and name of what matched only after folding typography. */
  fuzzy: { name: string; line: number }[]
}

/**
 * Replaces each wanted text at its one place in the text as it is now. Everything outside stays byte for byte: the
 * byte order mark, line breaks, a missing last one. New lines break as the note's do.
 */
export function replaceTexts(path: string, text: string, wanted: readonly TextReplacement[]): ReplacedText {
  const source = bodyOf(text)
  const note = searchableNote(path, source.body)
  const found = wanted
    .map((each) => ({ ...findText(note, normalized(each)), name: each.name }))
    .sort((one, other) => one.start - other.start || one.end - other.end)
  refuseOverlap(path, found)

  const pieces: string[] = []
  const places: ReplacedText['places'] = []
  let done = 0
  let length = 0
  for (const { start, end, isFuzzy, replacement: replace } of found) {
    const replacement = replace()
    const [from, to] = [source.offset(replacement.start), source.offset(replacement.end)]
    const near = text.slice(source.offset(start), source.offset(end))
    const lineBreak = lineBreakOf(near.includes('\n') ? near : text)
    const fresh = withLineBreaks(replacement.text, lineBreak)
    const at = length + from - done
    pieces.push(text.slice(done, from), fresh)
    places.push({ start: at, end: at + fresh.length, isFuzzy })
    length = at + fresh.length
    done = to
  }
  pieces.push(text.slice(done))
  return {
    text: pieces.join(''),
    places,
    fuzzy: linesOf(
      source.body,
      found.filter(({ isFuzzy }) => isFuzzy),
    ),
  }
}

/** The lines at which places begin that are in order. */
function linesOf(body: string, places: readonly { name: string; start: number }[]): ReplacedText['fuzzy'] {
  let line = 1
  let next = body.indexOf('\n')
  return places.map(({ name, start }) => {
    for (; next >= 0 && next < start; next = body.indexOf('\n', next + 1)) line++
    return { name, line }
  })
}

function normalized(wanted: TextReplacement): TextReplacement {
  return { ...wanted, old: bodyOf(wanted.old).body, fresh: bodyOf(wanted.fresh).body }
}

/** The text without byte order mark and with `\n` alone, and the way back from its offsets to those of the text. */
function bodyOf(text: string): { body: string; offset(at: number): number } {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const body = text.slice(mark).replaceAll('\r\n', '\n')
  if (body.length === text.length - mark) return { body, offset: (at) => at + mark }
  // Places in the body before which a carriage return was taken out.
  const taken: number[] = []
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) taken.push(at - mark - taken.length)
  return {
    body,
    offset(at) {
      let low = 0
      let high = taken.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (taken[middle]! < at) low = middle + 1
        else high = middle
      }
      return at + low + mark
    },
  }
}

function refuseOverlap(path: string, found: readonly (FoundText & { name: string })[]): void {
  for (let index = 1; index < found.length; index++) {
    const [one, other] = [found[index - 1]!, found[index]!]
    if (other.start >= one.end) continue
    throw new Failure('invalid-input', `${one.name} and ${other.name} overlap in ${path}. Nothing was changed.`, {
      hint: 'Combine them into one block.',
    })
  }
}

/** A stretch of a text. */
interface TextPlace {
  start: number
  end: number
}

/** The places of the planned text that are in the accepted part. */
export function acceptedPlaces<Place extends TextPlace>(
  planned: string,
  part: string,
  places: readonly Place[],
): Place[] {
  const refused = listHunks(encodeText(part), encodeText(planned)).map(({ newLine, added }) => {
    return { first: newLine, last: newLine + added.length - 1, isGap: added.length === 0 }
  })
  return places.filter(({ start, end }) => {
    const [first, last] = [lineAt(planned, start), lineAt(planned, Math.max(start, end - 1))]
    // Lines that were to go and are still there show as a gap before a line.
    return !refused.some(
      (hunk) => first <= (hunk.isGap ? hunk.first : hunk.last) && hunk.first <= last + (hunk.isGap ? 1 : 0),
    )
  })
}

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text)

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

const blockStart = /^(?:<{5,9}|-{5,9})[ \t]*SEARCH>?[ \t]*$/
const blockDivider = /^={5,9}[ \t]*$/
const blockEnd = /^(?:>{5,9}|\+{5,9})[ \t]*REPLACE[ \t]*$/

/** Each is looked for in the whole note. */
const mostBlocks = 500

/** Reads SEARCH/REPLACE blocks; words and fences around them are passed over, half a block is not. */
export function searchReplaceBlocks(diff: string): TextReplacement[] {
  const blocks: TextReplacement[] = []
  const lines = diff.replaceAll('\r\n', '\n').split('\n')
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (blockDivider.test(line) || blockEnd.test(line)) throw malformedDiff(`line ${at + 1} is outside a block`)
    if (!blockStart.test(line)) {
      at++
      continue
    }
    const name = `block ${blocks.length + 1}`
    if (blocks.length === mostBlocks) throw tooManyBlocks()
    let close = at + 1
    while (close < lines.length && !blockEnd.test(lines[close]!) && !blockStart.test(lines[close]!)) close++
    if (close === lines.length || blockStart.test(lines[close]!))
      throw malformedDiff(`${name} has no ">>>>>>> REPLACE" line`)
    const inside = lines.slice(at + 1, close)
    const borders = inside.flatMap((each, index) => (blockDivider.test(each) ? [index] : []))
    if (borders.length === 0) throw malformedDiff(`${name} has no "=======" line`)
    if (borders.length > 1) {
      throw malformedDiff(
        `${name} has ${borders.length} "=======" lines`,
        'Use old_text and new_text for text with such a line.',
      )
    }
    const old = joinLines(inside.slice(0, borders[0]))
    if (old.trim() === '') throw malformedDiff(`${name} has an empty SEARCH part`)
    blocks.push({ old, fresh: joinLines(inside.slice(borders[0]! + 1)), isLines: true, name })
    at = close + 1
  }
  if (blocks.length === 0) throw malformedDiff('it has no "<<<<<<< SEARCH" line')
  return blocks
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function tooManyBlocks(): Failure {
  return new Failure('too-large', `The diff has more than ${mostBlocks} blocks.`, {
    hint: 'Send them in several calls.',
    modelHint: 'To rewrite the whole note, use write_note.',
    tools: ['write_note'],
  })
}

function malformedDiff(reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `The diff cannot be read: ${reason}.`, {
    hint:
      hint ??
      'Write "<<<<<<< SEARCH", the old lines, "=======", the new lines, ">>>>>>> REPLACE", each on its own line.',
  })
}
