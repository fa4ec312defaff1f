export type { Advice } from './advice.js'
export type { OutgoingRequest } from './announced-fetch.js'
export { isLoopback, isNearby, shownAddress } from './base-url.js'
export { addressOf, environmentKeys, type Keys, variableOf } from './connect.js'
export {
  consentWords,
  embeddingModel,
  notAgreed,
  type OpenedEmbedder,
  openEmbedder,
  type Recipient,
  recipientOf,
} from './embeddings/index.js'
export { findProvider, splitModelName } from './find-provider.js'
export { type ListOptions, listModels } from './list-models.js'

export { type OpenedModel, type OpenOptions, openModel } from './open-model.js'
export type { Environment, Fetch, Provider } from './provider.js'

export { type Secret, secret } from './secret.js'
export { providers } from './table/index.js'
