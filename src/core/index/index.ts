export type { NoteText } from './engine/build-segment.js'
export { contentStems, functionWordsOf } from './engine/function-words.js'
export { discardState, markVectorsLost } from './index-state.js'
export {
  type IndexBatch,
  IndexCorrupt,
  type IndexedFile,
  type IndexStore,
  type NoteFilter,
  type OpenBlob,
  type StoredBlob,
  type StoredChunk,
  type StoredLink,
  type StoredNote,
  type StoredNoteRows,
} from './index-store.js'
export type { EmbeddingProgress, IndexProgress } from './index-view.js'
export { type IndexWriter, indexWriter, type RunBatch, segmentCollector } from './index-writer.js'
export { baseName, type FileNames, fileNames, foldName, linkKey } from './links/file-names.js'
export { keptText, type NoteLayout, type Segment } from './links/note-layout.js'
export type { MoveImpact, MovePlan } from './links/plan-move.js'
export type { LinkRepair, RepairPlan } from './links/repair-links.js'
export { formOf, resolveLink } from './links/resolve-link.js'
export type { Restructure, RestructurePlan } from './links/restructure.js'
export { findAnchor } from './links/subpath.js'
export {
  changeRows,
  checkRows,
  countRows,
  emptyRows,
  indexedFileOf,
  memoryStore,
  putNote,
  removeNote,
  rowQueries,
  type StoreRows,
} from './memory-store.js'
export {
  aliasesOf,
  ambiguousName,
  folderNamed,
  moveSource,
  moveTarget,
  noteNotFound,
  notesNamed,
} from './name-lookup.js'
export { compareText, countTags, type NoteFacts, noteFacts, passesFilter } from './note-facts.js'
export { type GraphNode, graphOf, type NoteGraph, neighbourhood } from './note-graph.js'
export {
  type IndexCounts,
  type IndexUpdate,
  type MovesPlan,
  type NoteIndex,
  type NoteLinks,
  noteLinks,
  type UpdatableIndex,
} from './note-index.js'
export {
  type IndexReport,
  type Notebook,
  type NotebookSetup,
  type NotebookStatus,
  openNotebook,
  recoveredSentence,
  undecidedSentence,
  wasRecoveredRecently,
} from './notebook.js'
export { bestPartStart } from './preview.js'
export type { RelatedAnswer, RelatedNote, RelatedRequest } from './related.js'
export {
  type Freshness,
  noteFilter,
  type Rank,
  type SearchAnswer,
  type SearchHit,
  type SearchRequest,
} from './search.js'
export type { Embedder } from './semantic/embedder.js'
export type { UnseenChanges } from './unseen-changes.js'
export type { BackgroundUpdate, EmbeddingStatus, NotebookEmbeddings, RunStages, UpdateOptions } from './update.js'
export { openVaultIndex, type VaultIndex, type VaultIndexSetup } from './vault-index.js'
export {
  type IndexStage,
  indexingWorker,
  pauseGate,
  runInWorker,
  runStage,
  type StageOptions,
  setWorkerPaused,
} from './workers/indexing-worker.js'
export { remoteVault, serveVault } from './workers/remote-reading.js'
export { type RpcMethod, rpcMethod, rpcOverPort, type ThreadPort } from './workers/rpc-over-port.js'
export { yieldToHost } from './yield-to-host.js'
