export { screenIndex } from './screen-index.js'
export { screenVault } from './screen-vault.js'
export { type OpenedNotes, openedNotes, readRules } from './sight.js'
