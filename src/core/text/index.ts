export { type VisibleText, visibleJson, visibleText } from './visible-text.js'
