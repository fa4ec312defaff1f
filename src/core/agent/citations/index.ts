export { checkCitations } from './check-citations.js'
export type { Citation } from './citation.js'
