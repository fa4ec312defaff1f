// `!` is used on tables by character code (128 and 256 entries), on bytes of a word, and on pairs of bounds.

/** Longer words are cut: they are data, not language. */
export const longestWord = 64

/** UTF-8 bytes of the current word. Valid only during the `OnWord` call. */
export const wordBytes = new Uint8Array(longestWord + 8)

/** Called for each word with its length in `wordBytes` and its hash. */
type OnWord = (length: number, hash: number) => void

/**
 * Cuts text into folded words, in order. A run of an unspaced script becomes its characters with each pair between
 * them: pairs distinguish words, single characters find what no pair finds, and a phrase is still a sequence of
 * neighbours.
 */
export function eachWord(text: string, onWord: OnWord): void {
  // Composed first, so that one code unit is one letter.
  const composed = mayCompose.test(text) ? text.normalize('NFC') : text
  startText(onWord)
  const end = composed.length
  for (let at = 0; at < end; at++) {
    let code = composed.charCodeAt(at)
    if (code < 128) {
      let folded = foldedAscii[code]!
      if (folded > apostrophe) {
        // The inner loop for ASCII letters, which most text consists of, keeps its state in registers.
        previousUnspaced = 0
        let size = wordLength
        let value = wordHash
        do {
          if (size < longestWord) {
            wordBytes[size++] = folded
            value = Math.imul(value ^ folded, hashPrime)
          }
          code = ++at < end ? composed.charCodeAt(at) : 32
          folded = code < 128 ? foldedAscii[code]! : breaksWord
        } while (folded > apostrophe)
        wordLength = size
        wordHash = value
        if (code > 127) {
          at--
          continue
        }
      }
      if (wordLength !== 0) {
        if (folded === apostrophe) markApostrophe()
        else if (folded === breaksWord) endWord()
      } else {
        previousUnspaced = 0
      }
      continue
    }
    const folded = foldedPage(code >> 8)[code & 255]!
    if (folded === expands) {
      const point = composed.codePointAt(at) as number
      if (point > 0xffff) at++
      for (const part of expansionOf(point)) takeUnit(part === ' ' ? breaksWord : (part.codePointAt(0) as number))
    } else {
      takeUnit(folded)
    }
  }
  takeUnit(breaksWord)
}

/** The words of a short text as strings. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  eachWord(text, (size) => words.push(decoder.decode(wordBytes.subarray(0, size))))
  return words
}

/** The hash that `eachWord` passes, for other bytes. */
export function hashWord(bytes: Uint8Array, from: number, to: number): number {
  let value = hashSeed
  for (let at = from; at < to; at++) value = Math.imul(value ^ bytes[at]!, hashPrime)
  return value ^ (value >>> 15)
}

/** Combining marks, jamo and surrogates: text without them is already composed. */
const mayCompose = /[\u0300-\u036f]|[\u0591-\u1aff]|[\u1dc0-\u1dff]|[\u3099\u309a]|[\ua802-\uabff]|[\ud800-\udbff]/
const hashPrime = 0x01000193
const hashSeed = 0x811c9dc5 | 0
const decoder = new TextDecoder()

let wordFound: OnWord
let wordLength = 0
let wordHash = hashSeed
/** Length and hash up to the last apostrophe: a final 's is removed. */
let cutLength = 0
let cutHash = 0
/** The previous character within an unspaced run; 0 outside. */
let previousUnspaced = 0

function startText(onWord: OnWord): void {
  wordFound = onWord
  wordLength = 0
  wordHash = hashSeed
  cutLength = 0
  previousUnspaced = 0
}

function takeUnit(folded: number): void {
  if (folded > apostrophe) {
    if (isUnspaced(folded)) {
      addUnspaced(folded)
    } else {
      previousUnspaced = 0
      writeCodePoint(folded)
    }
  } else if (folded === breaksWord) {
    if (wordLength !== 0) endWord()
    previousUnspaced = 0
  } else if (folded === apostrophe && wordLength !== 0) {
    markApostrophe()
  }
  // Ignorable characters (`vanishes`) are skipped.
}

function markApostrophe(): void {
  cutLength = wordLength
  cutHash = wordHash
}

function endWord(): void {
  if (cutLength !== 0 && wordLength === cutLength + 1 && wordBytes[cutLength] === 0x73) {
    wordLength = cutLength
    wordHash = cutHash
  }
  const size = wordLength
  const value = wordHash ^ (wordHash >>> 15)
  wordLength = 0
  wordHash = hashSeed
  cutLength = 0
  wordFound(size, value)
}

function addUnspaced(code: number): void {
  if (wordLength !== 0) endWord()
  if (previousUnspaced !== 0) {
    writeCodePoint(previousUnspaced)
    writeCodePoint(code)
    endWord()
  }
  writeCodePoint(code)
  endWord()
  previousUnspaced = code
}

function writeCodePoint(code: number): void {
  if (wordLength + 4 > longestWord) return
  if (code < 0x80) {
    putByte(code)
  } else if (code < 0x800) {
    putByte(0xc0 | (code >> 6))
    putByte(0x80 | (code & 63))
  } else if (code < 0x10000) {
    putByte(0xe0 | (code >> 12))
    putByte(0x80 | ((code >> 6) & 63))
    putByte(0x80 | (code & 63))
  } else {
    putByte(0xf0 | (code >> 18))
    putByte(0x80 | ((code >> 12) & 63))
    putByte(0x80 | ((code >> 6) & 63))
    putByte(0x80 | (code & 63))
  }
}

function putByte(byte: number): void {
  wordBytes[wordLength++] = byte
  wordHash = Math.imul(wordHash ^ byte, hashPrime)
}

/** Special values among folded units; every other number is the unit itself. */
const breaksWord = 0
const vanishes = 1
const expands = 2
const apostrophe = 3

/**
 * Folded form of 256 UTF-16 code units: lower case without accents, compatibility forms replaced. A unit that becomes
 * several is marked `expands` and looked up in `expansionOf`. Pages are built on first use.
 */
export function foldedPage(high: number): Uint16Array {
  const known = pages[high]
  if (known !== undefined) return known
  const page = new Uint16Array(256)
  pages[high] = page
  for (let low = 0; low < 256; low++) {
    const code = (high << 8) | low
    page[low] = isPlainHan(code) ? code : foldUnit(code)
  }
  return page
}

/** The ASCII part of the first page, computed without Unicode lookups. */
export const foldedAscii = Uint16Array.from({ length: 128 }, (_, code) => {
  if (code === 0x27) return apostrophe
  const isCapital = code >= 0x41 && code <= 0x5a
  const isDigit = code >= 0x30 && code <= 0x39
  const isSmall = code >= 0x61 && code <= 0x7a
  return isCapital ? code + 32 : isDigit || isSmall ? code : breaksWord
})

/** The folded form of a code point as text; '' if it vanishes, ' ' if it separates words. */
function expansionOf(codePoint: number): string {
  const known = expansions.get(codePoint)
  if (known !== undefined) return known
  const folded = foldPoint(codePoint)
  expansions.set(codePoint, folded)
  return folded
}

/** True for scripts without spaces between words and for pictographs: their runs are cut into overlapping pairs. */
export function isUnspaced(code: number): boolean {
  if (code < 0xe00) return false
  for (let at = 0; at < unspaced.length; at += 2) if (code < unspaced[at + 1]!) return code >= unspaced[at]!
  return false
}

/** Thai and Lao, Burmese, Khmer, symbols, kana, Han, hangul, pictographs, rarer Han; starts and ends. */
const unspaced = [
  0xe00, 0xf00, 0x1000, 0x10a0, 0x1780, 0x1800, 0x2190, 0x2c00, 0x3005, 0x3008, 0x3041, 0x3100, 0x31f0, 0x3200, 0x3400,
  0xa000, 0xac00, 0xd7a4, 0xf900, 0xfb00, 0x1f000, 0x1fc00, 0x20000, 0x32000,
]

const pages: (Uint16Array | undefined)[] = []
const expansions = new Map<number, string>()

const wordCharacter = /[\p{L}\p{N}\p{M}]/u
const pictograph = /\p{Extended_Pictographic}/u
const invisible = /\p{Cf}/u
// Vowel signs of Indic scripts and Japanese voicing marks distinguish words; accents and Semitic points rarely do.
const accent =
  /(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}]/u
const combiningMark = /\p{M}/u

function isPlainHan(code: number): boolean {
  return code >= 0x4e00 && code < 0xa000
}

function foldUnit(code: number): number {
  if (code === 0x27 || code === 0x2019 || code === 0x2bc || code === 0xff07) return apostrophe
  // Surrogates are read as a pair.
  if (code >= 0xd800 && code < 0xe000) return expands
  const folded = foldPoint(code)
  if (folded === '') return vanishes
  if (folded === ' ') return breaksWord
  return folded.length === 1 ? folded.charCodeAt(0) : expands
}

function foldPoint(codePoint: number): string {
  const written = String.fromCodePoint(codePoint)
  // U+200B separates words; other invisible characters and the Arabic tatweel are not part of a word.
  if (codePoint === 0x200b) return ' '
  if (codePoint === 0x640 || invisible.test(written)) return ''
  // Russian й is a separate letter, and endings depend on it.
  if (codePoint === 0x439 || codePoint === 0x419) return 'й'
  let folded = ''
  for (const part of written.normalize('NFKD').toLowerCase().normalize('NFKD')) {
    if (combiningMark.test(part) && accent.test(part)) continue
    folded +=
      part === 'ß' ? 'ss' : wordCharacter.test(part) || (codePoint > 0x2100 && pictograph.test(part)) ? part : ' '
  }
  folded = folded.normalize('NFC')
  return folded.trim() === '' ? (folded === '' ? '' : ' ') : folded
}

/**
 * Cuts text into the words a reader sees. Each web address becomes two words of its own, because the parts of an
 * address would match every note that links to the same site. HTML attributes are skipped.
 */
export function eachVisibleWord(text: string, onWord: OnWord): void {
  const read = text.includes('<') ? text.replace(tagPattern, (tag) => (tag.includes('=') ? ' ' : tag)) : text
  const found = read.includes('://') ? (read.match(addressPattern) ?? []) : []
  eachWord(found.length > 0 ? read.replace(addressPattern, ' ') : read, onWord)
  for (const address of found) emitAddress(address, onWord)
}

/** The words that an address is indexed as. */
export function wordsOfAddress(address: string): string[] {
  const words: string[] = []
  emitAddress(address, (length) => words.push(decoder.decode(wordBytes.subarray(0, length))))
  return words
}

export function isAddressWord(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === slash
}

const addressPattern = /https?:\/\/[^\s<>"'`\])}|]+/g
/** Attributes are checked separately: one pattern would rescan a long line of `=` for each of them. */
const tagPattern = /<[a-z][a-z0-9-]*\s[^<>]*>/gi
const slash = 0x2f

/** Two halves of the hash, each after a slash, which no other word starts with: few words serve all addresses. */
function emitAddress(address: string, onWord: OnWord): void {
  let hash = emptyName
  // Scheme, case and a final slash or full stop do not matter.
  eachWord(address.replace(/^https?:\/\/(?:www\.)?/i, ''), (_, wordHash) => {
    hash = hashName(hash, wordHash)
  })
  if (hash === emptyName) return
  emitHalf(hash >>> 23, onWord)
  emitHalf((hash >>> 14) & 0x1ff, onWord)
}

function emitHalf(half: number, onWord: OnWord): void {
  const digits = half.toString(36)
  wordBytes[0] = slash
  for (let at = 0; at < digits.length; at++) wordBytes[at + 1] = digits.charCodeAt(at)
  onWord(digits.length + 1, hashWord(wordBytes, 0, digits.length + 1))
}

/** Extends the hash of a name by the hash of its next word. */
export function hashName(soFar: number, wordHash: number): number {
  return Math.imul((soFar ^ (soFar >>> 13)) + wordHash, hashPrime)
}

export const emptyName = 0x2545f491

/** The file name without folders and `.md`. */
export function noteBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
}

export function folderNames(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
