export { type Keyboard, keyboard } from './keyboard.js'
export { type PromptHistory, promptHistory } from './prompt-history.js'
export { readPrompt, type Typed } from './read-prompt.js'
export { suggestNotes } from './suggest-notes.js'
