/** Numbers from 0 to 1 that are the same in every run for the same seed. */
export function randomNumbers(seed: string): () => number {
  let state = 2166136261
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16777619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9
    const mixed = Math.imul(state ^ (state >>> 13), 3266489909)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}

/** Cuts a text into pieces, now into many, now into few. */
export function cutAtRandom(text: string, random: () => number): string[] {
  const longest = 1 + Math.floor(random() ** 2 * Math.max(8, Math.min(text.length, 4000)))
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(random() * longest)
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}
