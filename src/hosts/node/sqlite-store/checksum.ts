/** 32-bit checksum of a row's columns, in order. One changed character always gives another. */
export function checksumOf(...columns: readonly unknown[]): number {
  let hash = 0
  // Damage may have made a column anything else; as text it still has a checksum, and another one.
  for (const column of columns) hash = hashText(`${column}`, hash)
  return hash
}

/** Faster for texts than zlib's `crc32`, which has to make bytes of them first. */
export function hashText(text: string, seed = 0): number {
  const end = text.length
  let hash = Math.imul(seed ^ end, 0x9e3779b1) + 0x7f4a7c15
  let at = 0
  for (; at + 1 < end; at += 2) {
    hash = Math.imul(hash ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), 0x85ebca6b)
    hash = (hash << 13) | (hash >>> 19)
  }
  if (at < end) hash = Math.imul(hash ^ text.charCodeAt(at), 0xc2b2ae35)
  return scrambled(hash)
}

/** Of all rows together, in any order: a row that is missing, or there twice, gives another sum. */
export const addTo = (sum: number, checksum: number): number => (sum + checksum) >>> 0
export const takeFrom = (sum: number, checksum: number): number => (sum - checksum) >>> 0

function scrambled(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
