import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Makes the mark around results from what they say. */
export type ResultMark = (texts: readonly string[]) => string

/**
 * Marks that nobody can foresee who does not know a secret made here. The same results get the same mark in every
 * request of a conversation, so that a provider's cache of the beginning stays valid; other results get another one,
 * so that a mark that became known is worth nothing.
 */
export function resultMarks(): ResultMark {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  return (texts) => bytesToHex(hmac(sha256, secret, new TextEncoder().encode(JSON.stringify(texts)))).slice(0, 12)
}
