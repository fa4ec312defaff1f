export { afterImages } from './after-image.js'
export { type IntentNotes, type Journal, journal } from './journal.js'
