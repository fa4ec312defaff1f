import type { IndexView } from '../index-view.js'

export interface EmbeddingProgress {
  /** Passages there are, and those that have a vector of the model. */
  passages: number
  made: number
  /** Notes that are kept from it. */
  withheld: number
}

export function embeddingProgress({ state, segments }: IndexView, id: string): EmbeddingProgress {
  const embedding = state.embedding?.id === id ? state.embedding : undefined
  let passages = 0
  let made = 0
  let aside = 0
  for (const { segment, embedded } of segments) {
    passages += segment.liveChunks
    if (embedding !== undefined && embedded?.model === id) made += segment.liveChunks
  }
  for (const { count } of embedding?.parts ?? []) aside += count
  let withheld = 0
  for (const note of embedding?.without ?? []) {
    const home = segments.find(({ segment }) => segment.has(note))
    if (home === undefined) continue
    withheld++
    if (home.embedded?.model === id) made -= home.segment.chunkCount(note)
  }
  return { passages, made: Math.min(passages, made + aside), withheld }
}
