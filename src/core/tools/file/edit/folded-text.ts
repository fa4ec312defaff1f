/** Text in the form in which two spellings of it are compared, with the way back to where each piece stands. */
export interface FoldedText {
  text: string
  /** Source offsets at which the unit behind each folded character starts and ends. */
  starts: Int32Array
  ends: Int32Array
}

/**
 * Folds what an editor or a model may have changed without anybody noticing: typographic quotes and dashes, unusual
 * spaces, compatibility forms (Ⅳ as IV), composed or decomposed letters, blanks at the ends of lines.
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
    // Blanks that end a line do not count; others stand for themselves.
    else if (end < source.length) for (let at = start; at < end; at++) put(foldUnit(source[at]), at, at + 1)
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
