// The code that reads notes and changes the index, loaded on first use: a process that only searches never needs it.
// One module for all of it, because every further dynamic import splits the bundle of the command line into more files.
export { embedNotes } from './embeddings/embed-notes.js'
export { planMove, planMoves } from './links/plan-move.js'
export { planRepairs } from './links/repair-links.js'
export { planRestructure } from './links/restructure.js'
export { indexPaths, readChanges } from './read-changes.js'
export { hasAllVectors, updateVectors } from './vectors.js'
