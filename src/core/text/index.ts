export { charactersFor, estimateTokens } from './estimate-tokens.js'
export { forPeople } from './for-people.js'
export { type VisibleText, visibleJson, visibleText } from './visible-text.js'
