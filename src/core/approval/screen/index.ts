export { openedNotes, readRules } from './read-rules.js'
export { screenIndex } from './screen-index.js'
export { screenVault } from './screen-vault.js'
