export { openedNotes } from './read-rules.js'
export { screenNotes } from './screen-notes.js'
export { withheldNotes } from './withheld-notes.js'
