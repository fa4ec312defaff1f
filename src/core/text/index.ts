export { charactersFor, estimateTokens } from './estimate-tokens.js'
export { type VisibleText, visibleJson, visibleText } from './visible-text.js'
