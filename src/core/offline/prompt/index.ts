export type { Material } from './open-envelopes.js'
export { type Result, readPrompt, type Situation } from './read-prompt.js'
