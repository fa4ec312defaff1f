export { noteFilter } from './answer-search.js'
export type { IndexProgress } from './catch-up.js'
export type { EmbeddingProgress } from './embeddings/index.js'
export { contentStems, type NoteText } from './engine/index.js'
export { discardState, markVectorsLost } from './index-state.js'
export {
  type IndexBatch,
  IndexCorrupt,
  type IndexStore,
  type KnownFile,
  type NoteFilter,
  type OpenBlob,
  type StoredBlob,
  type StoredChunk,
  type StoredLink,
  type StoredNote,
  type StoredNoteRows,
} from './index-store.js'
export { type IndexWriter, indexWriter, type RunBatch, segmentGatherer } from './index-writer.js'
export type { MoveImpact, MovePlan } from './links/index.js'
export { memoryStore } from './memory-store.js'
export { type GraphNode, graphOf, type NoteGraph, neighbourhood } from './neighbourhood.js'
export { compareText, countTags, type NoteFacts, noteFacts, passesFilter } from './note-facts.js'
export {
  type IndexCounts,
  type IndexUpdate,
  type NoteIndex,
  type NoteLinks,
  noteLinks,
  type UpdatableIndex,
} from './note-index.js'
export { noteNotFound } from './note-not-found.js'
export { openVaultIndex, type VaultIndex, type VaultIndexSetup } from './open-vault-index.js'
export { partStart } from './preview.js'
export type { RelatedAnswer, RelatedNote, RelatedRequest } from './related/related-note.js'
export type { Freshness, Rank, SearchAnswer, SearchHit, SearchRequest } from './search-request.js'
export type { Embedder } from './semantic/index.js'
export {
  changeRows,
  checkRows,
  countRows,
  forgetNote,
  noRows,
  putNote,
  rowAnswers,
  type StoreRows,
  stampOf,
} from './store-rows.js'
export type { UnseenChanges } from './unseen-changes.js'
export * from './workers/index.js'
export { yieldToHost } from './yield-to-host.js'
