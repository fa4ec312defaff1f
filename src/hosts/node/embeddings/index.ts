export type { Consent } from './consent-file.js'
export { type FolderEmbeddings, folderEmbeddings } from './folder-embeddings.js'
