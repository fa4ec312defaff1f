// All that changes the index, and what it takes to read notes: a process that only asks never loads this file.
export { catchUp } from './catch-up.js'
export { embedNotes } from './embeddings/index.js'
export { finishVectors, hasAllVectors } from './finish-vectors.js'
export { indexPaths } from './index-paths.js'
export { planMove } from './links/index.js'
