export { consentWords } from './consent-words.js'
export { notAgreed, type OpenedEmbedder, openEmbedder } from './open-embedder.js'
export { embeddingModel, type Recipient, recipientOf } from './recipient.js'
