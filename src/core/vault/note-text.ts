import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { ContentHash } from './change-set.js'

/** UTF-16 is detected only by its byte order mark; `invalid` is everything else that is not UTF-8. */
export type NoteEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'invalid'

interface DecodedNote {
  text: string
  encoding: NoteEncoding
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Bytes to text, noticing what is neither UTF-8 nor UTF-16 as some editors and shells write it. A byte order mark stays
 * in the text, so that text and bytes agree.
 */
export function decodeNote(bytes: Uint8Array): DecodedNote {
  const encoding = markedEncoding(bytes)
  try {
    const decoder = encoding === 'utf-8' ? strictUtf8 : new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes), encoding }
  } catch {
    return { text: new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes), encoding: 'invalid' }
  }
}

function markedEncoding(bytes: Uint8Array): Exclude<NoteEncoding, 'invalid'> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** This much of a note is representative. */
const sampleLength = 65_536
/** An old code page of a language in Latin letters stays below; one of another script does not, nor do random bytes. */
const oddShare = 0.2
/** Replacement characters from decoding, and control characters that no text contains. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const oddCharacters = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g

/** True if a note is text. One that is not UTF-8 may still be, with a few characters lost. */
export function isText({ text, encoding }: DecodedNote): boolean {
  if (encoding !== 'invalid' && !text.includes('\0')) return true
  const looked = text.slice(0, sampleLength)
  return (looked.match(oddCharacters)?.length ?? 0) < oddShare * looked.length
}

/** sha256 as lower-case hex, on every host. Hosts with a native one may use that: the answer is the same. */
export function hashBytes(bytes: Uint8Array): ContentHash {
  return bytesToHex(sha256(bytes))
}
