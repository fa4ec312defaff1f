export { afterImages } from './after-image.js'
export { type IntentNotes, type Journal, journal } from './journal.js'
export type { Retention } from './retention.js'
