/** Someone else's model that turns texts into vectors. Its vectors join the fusion; they never replace the lexical part. */
export interface Embedder {
  /** Names the model exactly; kept with every vector, so that vectors of two models never meet. */
  readonly id: string
  readonly dimension: number
  /** Most texts in one call. */
  readonly maxBatch: number
  /** One vector per text, in order. */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
}
