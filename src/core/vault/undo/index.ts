export type { Settled } from './merge-lines.js'
export { planUndo, type UndoTarget } from './plan-undo.js'
export type { Settle, UndoConflict } from './undo-conflict.js'
export type { UndoSource } from './undo-source.js'
