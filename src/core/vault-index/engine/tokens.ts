import {
  apostrophe,
  foldedAscii as ascii,
  breaksWord,
  expands,
  expansionOf,
  foldedPage,
  isUnspaced,
} from './folding.js'

/** Longer words are cut: they are data, not language. */
export const longestWord = 64

/** The bytes of the word being handed out, UTF-8. Valid during the call only. */
export const wordBytes = new Uint8Array(longestWord + 8)

/** Called for each word with its length in `wordBytes` and its hash. */
export type OnWord = (length: number, hash: number) => void

/**
 * Cuts text into folded words, in order. A run of a script without spaces becomes its characters with each pair between
 * them: `AB`, `BC` tell words apart, `A`, `B`, `C` find what no pair finds, and a phrase is still a row of neighbours.
 */
export function eachWord(text: string, onWord: OnWord): void {
  // Composed first, so that one unit is one letter.
  const composed = mayCompose.test(text) ? text.normalize('NFC') : text
  start(onWord)
  const end = composed.length
  for (let at = 0; at < end; at++) {
    let code = composed.charCodeAt(at)
    if (code < 128) {
      let folded = ascii[code]
      if (folded > apostrophe) {
        // Most text is runs of these letters: here they stay in registers.
        previous = 0
        let size = length
        let value = hash
        do {
          if (size < longestWord) {
            wordBytes[size++] = folded
            value = Math.imul(value ^ folded, prime)
          }
          code = ++at < end ? composed.charCodeAt(at) : 32
          folded = code < 128 ? ascii[code] : breaksWord
        } while (folded > apostrophe)
        length = size
        hash = value
        if (code > 127) {
          at--
          continue
        }
      }
      if (length !== 0) {
        if (folded === apostrophe) meetApostrophe()
        else if (folded === breaksWord) endWord()
      } else {
        previous = 0
      }
      continue
    }
    const folded = foldedPage(code >> 8)[code & 255]
    if (folded === expands) {
      const point = composed.codePointAt(at) as number
      if (point > 0xffff) at++
      for (const part of expansionOf(point)) take(part === ' ' ? breaksWord : (part.codePointAt(0) as number))
    } else {
      take(folded)
    }
  }
  take(breaksWord)
}

/** The words of a short text as strings. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  eachWord(text, (size) => words.push(decoder.decode(wordBytes.subarray(0, size))))
  return words
}

/** The hash `eachWord` hands out, for bytes found elsewhere. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let value = seed
  for (let at = from; at < to; at++) value = Math.imul(value ^ bytes[at], prime)
  return value ^ (value >>> 15)
}

/** Marks, jamo and halves of pairs: text without them is composed already, as far as folding can tell. */
const mayCompose = /[\u0300-\u036f]|[\u0591-\u1aff]|[\u1dc0-\u1dff]|[\u3099\u309a]|[\ua802-\uabff]|[\ud800-\udbff]/
const prime = 0x01000193
const seed = 0x811c9dc5 | 0
const decoder = new TextDecoder()

let emit: OnWord
let length = 0
let hash = seed
/** Where the last apostrophe stood, and the hash up to it: a final 's is cut off again. */
let cutLength = 0
let cutHash = 0
/** The character before, within a run without spaces; 0 outside. */
let previous = 0

function start(onWord: OnWord): void {
  emit = onWord
  length = 0
  hash = seed
  cutLength = 0
  previous = 0
}

function take(folded: number): void {
  if (folded > apostrophe) {
    if (isUnspaced(folded)) {
      meetUnspaced(folded)
    } else {
      previous = 0
      write(folded)
    }
  } else if (folded === breaksWord) {
    if (length !== 0) endWord()
    previous = 0
  } else if (folded === apostrophe && length !== 0) {
    meetApostrophe()
  }
  // What vanishes leaves no trace.
}

function meetApostrophe(): void {
  cutLength = length
  cutHash = hash
}

function endWord(): void {
  if (cutLength !== 0 && length === cutLength + 1 && wordBytes[cutLength] === 0x73) {
    length = cutLength
    hash = cutHash
  }
  const size = length
  const value = hash ^ (hash >>> 15)
  length = 0
  hash = seed
  cutLength = 0
  emit(size, value)
}

function meetUnspaced(code: number): void {
  if (length !== 0) endWord()
  if (previous !== 0) {
    write(previous)
    write(code)
    endWord()
  }
  write(code)
  endWord()
  previous = code
}

function write(code: number): void {
  if (length + 4 > longestWord) return
  if (code < 0x80) {
    put(code)
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6))
    put(0x80 | (code & 63))
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12))
    put(0x80 | ((code >> 6) & 63))
    put(0x80 | (code & 63))
  } else {
    put(0xf0 | (code >> 18))
    put(0x80 | ((code >> 12) & 63))
    put(0x80 | ((code >> 6) & 63))
    put(0x80 | (code & 63))
  }
}

function put(byte: number): void {
  wordBytes[length++] = byte
  hash = Math.imul(hash ^ byte, prime)
}
