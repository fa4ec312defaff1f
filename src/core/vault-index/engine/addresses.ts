import { emptyName, hashName } from './names.js'
import { eachWord, hashBytes, type OnWord, wordBytes } from './tokens.js'

/**
 * Cuts text into words, then each of its web addresses into two of its own: what a person reads of a link is its text,
 * and the parts of an address would be found in every note that links to the same site. Attributes of HTML are read by
 * nobody.
 */
export function eachReadWord(text: string, onWord: OnWord): void {
  const read = text.includes('<') ? text.replace(tags, (tag) => (tag.includes('=') ? ' ' : tag)) : text
  const found = read.includes('://') ? (read.match(addresses) ?? []) : []
  eachWord(found.length > 0 ? read.replace(addresses, ' ') : read, onWord)
  for (const address of found) takeAddress(address, onWord)
}

/** The words that an address is kept as. */
export function wordsOfAddress(address: string): string[] {
  const words: string[] = []
  takeAddress(address, (length) => words.push(decoder.decode(wordBytes.subarray(0, length))))
  return words
}

export function isAddressWord(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === slash
}

const addresses = /https?:\/\/[^\s<>"'`\])}|]+/g
/** Whether one has attributes is asked apart: in one pattern a long line of `=` would be read again for each of them. */
const tags = /<[a-z][a-z0-9-]*\s[^<>]*>/gi
const slash = 0x2f
const decoder = new TextDecoder()

/** Two halves of its hash, each behind a slash, which no other word begins with: few words serve all addresses. */
function takeAddress(address: string, onWord: OnWord): void {
  let hash = emptyName
  // Scheme, capitals and a last slash or full stop make no other address of it.
  eachWord(address.replace(/^https?:\/\/(?:www\.)?/i, ''), (_, wordHash) => {
    hash = hashName(hash, wordHash)
  })
  if (hash === emptyName) return
  takeHalf(hash >>> 23, onWord)
  takeHalf((hash >>> 14) & 0x1ff, onWord)
}

function takeHalf(half: number, onWord: OnWord): void {
  const digits = half.toString(36)
  wordBytes[0] = slash
  for (let at = 0; at < digits.length; at++) wordBytes[at + 1] = digits.charCodeAt(at)
  onWord(digits.length + 1, hashBytes(wordBytes, 0, digits.length + 1))
}
