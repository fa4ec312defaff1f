export { consentWords } from './consent-words.js'
export { notAgreed, type OpenedEmbedder, openEmbedder } from './open-embedder.js'
export { type Recipient, recipientOf } from './recipient.js'
