export { promptHistory } from './prompt-history.js'
export { readPrompt } from './read-prompt.js'
export { suggestNotes } from './suggest-notes.js'
