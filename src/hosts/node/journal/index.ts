export { type IntentNotes, type Journal, journal, type Retention } from './journal.js'
