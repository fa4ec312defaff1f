export { type IntentNotes, type Journal, journal, type Retention } from './journal.js'
export type { KeptImage } from './kept-images.js'
