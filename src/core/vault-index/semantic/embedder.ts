/** Someone else's model that turns texts into vectors. Its vectors join the fusion; they never replace the lexical part. */
export interface Embedder {
  /** Names the model exactly; kept with every vector, so that vectors of two models never meet. */
  readonly id: string
  /** Most texts in one call. */
  readonly maxBatch: number
  /**
   * One vector per text, in order, all of one dimension; zeros for a text the model refuses. Many models want to be
   * told whether a text is what is asked or what may answer. `notes` are the paths of those the texts are from, in
   * their order: what leaves is written down with them.
   */
  embed(
    texts: string[],
    as: 'query' | 'passage',
    signal: AbortSignal,
    notes?: readonly string[],
  ): Promise<Float32Array[]>
}
