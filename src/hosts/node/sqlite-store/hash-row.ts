/** 32-bit hash of a row's columns, in order. One changed character always gives another hash. */
export function hashRow(columns: readonly (string | number | null)[], seed = 0): number {
  let hash = seed
  for (const column of columns) hash = hashText(column === null ? '\0null' : `${column}`, hash)
  return hash
}

export function hashText(text: string, seed = 0): number {
  const { length } = text
  let hash = Math.imul(seed ^ length, 0x9e3779b1) + 0x7f4a7c15
  let at = 0
  for (; at + 1 < length; at += 2) {
    hash = Math.imul(hash ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), 0x85ebca6b)
    hash = (hash << 13) | (hash >>> 19)
  }
  if (at < length) hash = Math.imul(hash ^ text.charCodeAt(at), 0xc2b2ae35)
  return scrambled(hash)
}

export function hashWords(words: Uint32Array, seed = 0): number {
  let hash = seed ^ words.length
  for (let at = 0; at < words.length; at++) {
    hash = Math.imul(hash ^ words[at], 0x85ebca6b)
    hash = (hash << 13) | (hash >>> 19)
  }
  return scrambled(hash)
}

function scrambled(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
