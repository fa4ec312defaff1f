export { type TypedWords, typedWords, wordsAndSigns } from './typed-words.js'
export { isTyped, type Leaving, whatLeaves } from './what-leaves.js'
export { type WordOrigin, wordOrigins } from './word-origins.js'
