import type { Embedder } from '../../src/core/index/semantic/embedder.js'

export interface MeaningEmbedder extends Embedder {
  /** Passages it was sent, and queries. */
  sent: string[]
  queries: string[]
  isAway: boolean
  dimension: number
  /** Called before every batch of passages. */
  onBatch?(number: number): void
}

/** For tests: knows that a velocipede is a bicycle, and remembers what it was asked. */
export function meaningEmbedder(maxBatch = 2): MeaningEmbedder {
  const directions = [/sourdough/, /bicycle|velocipede/, /harbour/]
  let batches = 0
  return {
    id: 'test/meaning',
    dimension: 4,
    maxBatch,
    sent: [],
    queries: [],
    isAway: false,
    async embed(texts, as, signal) {
      signal.throwIfAborted()
      if (this.isAway) throw new Error('connection refused')
      if (as === 'passage') this.onBatch?.(++batches)
      ;(as === 'query' ? this.queries : this.sent).push(...texts)
      const filler = Array.from({ length: this.dimension - 3 }, () => 0.1)
      return texts.map((text) => Float32Array.from([...directions.map((word) => (word.test(text) ? 1 : 0)), ...filler]))
    },
  }
}
