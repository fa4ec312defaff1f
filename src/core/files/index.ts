export { base64 } from './base64.js'
export { type FileFacts, type FileKind, fileFacts, fileWords, looksSent, mostBytes, takenKinds } from './file-facts.js'
export { type GivenFile, mostText, mostTogether, readGivenFiles } from './given-files.js'
