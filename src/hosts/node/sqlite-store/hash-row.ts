/** 32-bit hash of a row's columns, in order. One changed character always gives another hash. */
export function hashRow(columns: readonly (string | number | null)[], seed = 0): number {
  let hash = seed
  for (const column of columns) hash = hashText(column === null ? '\0null' : `${column}`, hash)
  return hash
}

/** Hash of the text between two places; reading within a long text is faster than cutting it up first. */
export function hashText(text: string, seed = 0, start = 0, end = text.length): number {
  let hash = Math.imul(seed ^ (end - start), 0x9e3779b1) + 0x7f4a7c15
  let at = start
  for (; at + 1 < end; at += 2) {
    hash = Math.imul(hash ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), 0x85ebca6b)
    hash = (hash << 13) | (hash >>> 19)
  }
  if (at < end) hash = Math.imul(hash ^ text.charCodeAt(at), 0xc2b2ae35)
  return scrambled(hash)
}

/** Sum of the hashes of all lines. */
export function hashLines(text: string): number {
  let sum = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    sum = (sum + hashText(text, 0, start, end)) >>> 0
    start = end + 1
  }
  return sum
}

function scrambled(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
