export { type ReadLine, readableText, readLines } from './read-lines.js'
export { broken } from './sentence-ends.js'
