export { type IntentNotes, type Journal, journal } from './journal.js'
export type { KeptImage } from './kept-images.js'
export type { Retention } from './retention.js'
