/** Marks among the folded units; every other number is the unit itself. */
export const breaksWord = 0
export const vanishes = 1
export const expands = 2
export const apostrophe = 3

/**
 * What each UTF-16 code unit becomes for search: lower case without accents, compatibility forms undone. A unit that
 * becomes several is marked `expands` and looked up in `expansionOf`. Pages of 256 are made when first met.
 */
export function foldedPage(high: number): Uint16Array {
  const known = pages[high]
  if (known !== undefined) return known
  const page = new Uint16Array(256)
  pages[high] = page
  for (let low = 0; low < 256; low++) {
    const code = (high << 8) | low
    page[low] = isPlainHan(code) ? code : projectUnit(code)
  }
  return page
}

/** What the first page holds for ASCII, told without asking what Unicode says of each character. */
export const foldedAscii = Uint16Array.from({ length: 128 }, (_, code) => {
  if (code === 0x27) return apostrophe
  const isCapital = code >= 0x41 && code <= 0x5a
  const isDigit = code >= 0x30 && code <= 0x39
  const isSmall = code >= 0x61 && code <= 0x7a
  return isCapital ? code + 32 : isDigit || isSmall ? code : breaksWord
})

/** The folded form of a code point that does not fit into one unit; '' when it vanishes, ' ' when it breaks words. */
export function expansionOf(codePoint: number): string {
  const known = expansions.get(codePoint)
  if (known !== undefined) return known
  const folded = foldPoint(codePoint)
  expansions.set(codePoint, folded)
  return folded
}

/** Scripts written without spaces between words, and pictures: their runs are cut into overlapping pairs. */
export function isUnspaced(code: number): boolean {
  if (code < 0xe00) return false
  for (let at = 0; at < unspaced.length; at += 2) if (code < unspaced[at + 1]) return code >= unspaced[at]
  return false
}

/** Thai and Lao, Burmese, Khmer, symbols, kana, Han, hangul, pictographs, rarer Han; starts and ends. */
const unspaced = [
  0xe00, 0xf00, 0x1000, 0x10a0, 0x1780, 0x1800, 0x2190, 0x2c00, 0x3005, 0x3008, 0x3041, 0x3100, 0x31f0, 0x3200, 0x3400,
  0xa000, 0xac00, 0xd7a4, 0xf900, 0xfb00, 0x1f000, 0x1fc00, 0x20000, 0x32000,
]

const pages: (Uint16Array | undefined)[] = []
const expansions = new Map<number, string>()

const word = /[\p{L}\p{N}\p{M}]/u
const pictograph = /\p{Extended_Pictographic}/u
const invisible = /\p{Cf}/u
// Vowel signs of Indic scripts and Japanese voicing marks tell words apart; accents and Semitic points rarely do.
const accent =
  /(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}]/u
const mark = /\p{M}/u

function isPlainHan(code: number): boolean {
  return code >= 0x4e00 && code < 0xa000
}

function projectUnit(code: number): number {
  if (code === 0x27 || code === 0x2019 || code === 0x2bc || code === 0xff07) return apostrophe
  // Halves of a pair are read together.
  if (code >= 0xd800 && code < 0xe000) return expands
  const folded = foldPoint(code)
  if (folded === '') return vanishes
  if (folded === ' ') return breaksWord
  return folded.length === 1 ? folded.charCodeAt(0) : expands
}

function foldPoint(codePoint: number): string {
  const written = String.fromCodePoint(codePoint)
  // U+200B is a place to break; other invisible characters and the Arabic stretching stroke are no part of a word.
  if (codePoint === 0x200b) return ' '
  if (codePoint === 0x640 || invisible.test(written)) return ''
  // The Russian short i is a letter of its own, and endings depend on it.
  if (codePoint === 0x439 || codePoint === 0x419) return 'й'
  let folded = ''
  for (const part of written.normalize('NFKD').toLowerCase().normalize('NFKD')) {
    if (mark.test(part) && accent.test(part)) continue
    folded += part === 'ß' ? 'ss' : word.test(part) || (codePoint > 0x2100 && pictograph.test(part)) ? part : ' '
  }
  folded = folded.normalize('NFC')
  return folded.trim() === '' ? (folded === '' ? '' : ' ') : folded
}
