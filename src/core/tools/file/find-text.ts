import { Failure } from '../../errors.js'

// `!` is used on offsets of a folded text, which has a start and an end for each of its characters; every position
// comes from a match in it.

export interface TextReplacement {
  old: string
  fresh: string
  /** Whole lines, as blocks are written: both texts end with a line break, which the note's last line may lack. */
  isLines: boolean
  /** Its name in messages: `old_text`, `block 2`. */
  name: string
}

/** The match and its replacement. UTF-16 offsets into the searched body. */
export interface FoundText {
  start: number
  end: number
  /** Computed only for the chosen match: a text may occur a thousand times. */
  replacement: () => { start: number; end: number; text: string }
  /** It differs from the wanted text only in typography. */
  isFuzzy: boolean
  isAtEnd: boolean
}

/** A note's text, looked at once for any number of replacements. `body` has no byte order mark and only `\n`. */
interface SearchableNote {
  path: string
  body: string
  folded(): FoldedText
}

export function searchableNote(path: string, body: string): SearchableNote {
  let folded: FoldedText | undefined
  return {
    path,
    body,
    folded() {
      folded ??= foldText(body)
      return folded
    },
  }
}

/**
 * Finds the one place that `old` means: letter by letter, else by what only typography changed, else without the last
 * line break at the note's end. No place or several are failures that say what to change.
 */
export function findText(note: SearchableNote, wanted: TextReplacement): FoundText {
  for (const attempt of attempts(note, wanted)) {
    const found = attempt()
    if (found.length > 1) throw ambiguousText(note, wanted, found)
    if (found.length === 1) return found[0]!
  }
  throw textNotFound(note, wanted)
}

function attempts(note: SearchableNote, { old, fresh, isLines }: TextReplacement): (() => FoundText[])[] {
  const inFull = [() => findExact(note, old, fresh), () => findFuzzy(note, old, fresh)]
  const [shortOld, shortFresh] = [withoutBreak(old), withoutBreak(fresh)]
  const short = [() => findExact(note, shortOld, shortFresh), () => findFuzzy(note, shortOld, shortFresh)]
  const shortAtEnd = old.endsWith('\n') ? short.map((look) => () => look().filter(({ isAtEnd }) => isAtEnd)) : []
  if (!isLines) return [...inFull, ...shortAtEnd]
  const isLineStart = ({ start }: FoundText) => start === 0 || note.body[start - 1] === '\n'
  const lines = [inFull[0], shortAtEnd[0], inFull[1], shortAtEnd[1]]
    .filter((look) => look !== undefined)
    .map((look) => () => look().filter(isLineStart))
  // A block that covers part of a line is not exact, but it is unambiguous if it occurs once.
  return [...lines, ...short]
}

function findExact({ body }: SearchableNote, old: string, text: string): FoundText[] {
  return occurrences(body, old).flatMap((start) => {
    const end = start + old.length
    if (splitsLetter(body, end)) return []
    return [{ start, end, replacement: () => ({ start, end, text }), isFuzzy: false, isAtEnd: end === body.length }]
  })
}

/** `e` is not found in an é that is written as e and its accent, nor half of an emoji. */
function splitsLetter(body: string, end: number): boolean {
  return body[end - 1] !== '\n' && /^[\p{M}\p{Emoji_Modifier}\u200d]/u.test(body.slice(end, end + 2))
}

function findFuzzy(note: SearchableNote, old: string, fresh: string): FoundText[] {
  if (note.body.length > longestFolded) return []
  const haystack = note.folded()
  const needle = foldText(old)
  if (needle.text.trim() === '') return []
  // Blanks at its end were left out of the comparison because they end a line.
  const mustEndLine = /[^\S\n]$/.test(old)
  return occurrences(haystack.text, needle.text).flatMap((at) => {
    const after = at + needle.text.length
    // Half of a Ⅳ is not found.
    if (!isUnitStart(haystack, at) || !isUnitStart(haystack, after)) return []
    if (splitsLetter(note.body, haystack.ends[after - 1]!)) return []
    if (mustEndLine && after < haystack.text.length && haystack.text[after] !== '\n') return []
    return [
      {
        start: haystack.starts[at]!,
        end: haystack.ends[after - 1]!,
        replacement: () => narrowReplacement(haystack, at, needle, old, fresh),
        isFuzzy: true,
        isAtEnd: after === haystack.text.length,
      },
    ]
  })
}

/**
 * Text that old and new share at either end stays as the author wrote it: a hyphen in a model's copy does not replace
 * the dash in the note.
 */
function narrowReplacement(haystack: FoldedText, at: number, needle: FoldedText, old: string, fresh: string) {
  const { length } = needle.text
  const isBorder = (index: number) => isUnitStart(needle, index) && isUnitStart(haystack, at + index)

  const sharedStart = commonStart(old, fresh)
  let head = 0
  while (head < length && needle.ends[head]! <= sharedStart) head++
  while (!isBorder(head)) head--
  const freshStart = head === 0 ? 0 : needle.ends[head - 1]!

  const sharedEnd = commonEnd(old, fresh, freshStart)
  let tail = length
  while (tail > head && needle.starts[tail - 1]! >= old.length - sharedEnd) tail--
  while (!isBorder(tail)) tail++
  const freshEnd = fresh.length - (tail === length ? 0 : old.length - needle.starts[tail]!)

  return {
    start: head === 0 ? haystack.starts[at]! : haystack.ends[at + head - 1]!,
    end: tail === head && head > 0 ? haystack.ends[at + head - 1]! : endBefore(haystack, at, tail, length),
    text: fresh.slice(freshStart, freshEnd),
  }
}

function endBefore(haystack: FoldedText, at: number, tail: number, length: number): number {
  return tail === length ? haystack.ends[at + length - 1]! : haystack.starts[at + tail]!
}

function isUnitStart({ starts }: FoldedText, index: number): boolean {
  return index === 0 || index >= starts.length || starts[index] !== starts[index - 1]
}

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function commonEnd(one: string, other: string, from: number): number {
  let length = 0
  const most = Math.min(one.length, other.length) - from
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) length++
  return length
}

function withoutBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** Folding takes many times a text's memory; beyond this only what is written letter by letter is found. */
const longestFolded = 2_000_000
const mostCounted = 1000

/** All occurrences, including overlapping ones: "aba" is in "ababa" twice. */
function occurrences(text: string, wanted: string): number[] {
  const found: number[] = []
  if (wanted === '') return found
  for (let at = text.indexOf(wanted); at >= 0 && found.length < mostCounted; at = text.indexOf(wanted, at + 1)) {
    found.push(at)
  }
  return found
}

function ambiguousText({ path, body }: SearchableNote, { name }: TextReplacement, found: FoundText[]): Failure {
  const lines = found.slice(0, 10).map(({ start }) => lineOf(body, start))
  const more = found.length > lines.length ? ', …' : ''
  return new Failure(
    'ambiguous',
    `${name} occurs ${found.length} times in ${path} (lines ${lines.join(', ')}${more}).`,
    {
      hint: 'Include more surrounding lines, so that it occurs only once.',
      data: { count: found.length, lines },
    },
  )
}

function textNotFound(note: SearchableNote, { name, old }: TextReplacement): Failure {
  const line = lineOfFirst(note, old)
  const where = line === undefined ? '' : ` Its first line matches line ${line} of the note, but the next lines differ.`
  return new Failure('not-found', `${name} was not found in ${note.path}.${where}`, {
    hint: 'Read the note again and copy the text exactly.',
    ...(line !== undefined && { data: { line } }),
  })
}

function lineOfFirst(note: SearchableNote, old: string): number | undefined {
  const lines = old.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2) return undefined
  if (note.body.length > longestFolded) return undefined
  const { text, starts } = note.folded()
  const at = text.indexOf(foldText(lines[0]!).text.trim())
  return at < 0 ? undefined : lineOf(note.body, starts[at]!)
}

function lineOf(body: string, offset: number): number {
  let line = 1
  for (let at = body.indexOf('\n'); at >= 0 && at < offset; at = body.indexOf('\n', at + 1)) line++
  return line
}

/** Text folded for comparison, with the source offset of each piece. */
interface FoldedText {
  text: string
  /** Source offsets at which the unit of each folded character starts and ends. */
  starts: Int32Array
  ends: Int32Array
}

/**
 * Folds differences that editors or models introduce unnoticed: typographic quotes and dashes, unusual spaces,
 * compatibility forms (Ⅳ as IV), composed or decomposed letters, trailing blanks.
 */
export function foldText(source: string): FoldedText {
  const pieces: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const put = (folded: string, start: number, end: number) => {
    pieces.push(folded)
    for (let index = 0; index < folded.length; index++) {
      starts.push(start)
      ends.push(end)
    }
  }
  for (const match of source.matchAll(units)) {
    const [unit] = match
    const start = match.index
    const end = start + unit.length
    if (unit.endsWith('\n')) put('\n', end - 1, end)
    else if (!isBlank(unit)) put(foldUnit(unit), start, end)
    // Trailing blanks are ignored; others are kept.
    else if (end < source.length) for (let at = start; at < end; at++) put(foldUnit(source[at]!), at, at + 1)
  }
  return { text: pieces.join(''), starts: Int32Array.from(starts), ends: Int32Array.from(ends) }
}

/** Blanks with the line break after them, other blanks, a Hangul syllable in its letters, or a letter with its marks. */
const units = /[^\S\n]*\n|[^\S\n]+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?\p{M}*|.\p{M}*/gsu

function isBlank(unit: string): boolean {
  return unit.trim() === ''
}

function foldUnit(unit: string): string {
  if (unit.length === 1 && unit >= ' ' && unit <= '~') return unit
  return unit
    .normalize('NFKC')
    .replace(/[\ufe00-\ufe0f]/g, '')
    .replace(/[\u2018-\u201b\u2032\u2035]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s/g, ' ')
}
