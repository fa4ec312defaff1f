export { forgetHiddenVectors, keepDeadVectors } from './dead-vectors.js'
export { type EmbedOptions, embedNotes } from './embed-notes.js'
export { type EmbeddingProgress, embeddingProgress } from './embedding-progress.js'
export { type QueryVectors, queryVectors } from './query-vectors.js'
