import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { ContentHash } from './change-set.js'

/** sha256 as lower-case hex, on every host. Hosts with a native one may use that: the answer is the same. */
export function hashBytes(bytes: Uint8Array): ContentHash {
  return bytesToHex(sha256(bytes))
}
