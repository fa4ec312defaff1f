/** Uniform numbers in [0, 1) from a seed: the same on every host, and never to be used for secrets. */
export function randomSource(seed: number): () => number {
  // Xorshift stays at zero for ever once it is there.
  let state = seed >>> 0 || 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
}
