export { charactersFor, estimateTokens } from './estimate-tokens.js'
export { forPeople } from './for-people.js'
export { bytes, count, duration, moment } from './quantities.js'
export { type VisibleText, visibleJson, visibleText } from './visible-text.js'
