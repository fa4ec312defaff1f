export { displayAddress, isLocalNetwork, isLoopback } from './addresses.js'
export {
  environmentKeys,
  findProvider,
  firstSetVariable,
  type Keys,
  providerAddress,
  splitModelName,
} from './connect.js'
export {
  consentFailure,
  consentWords,
  embeddingModel,
  type OpenedEmbedder,
  openEmbedder,
  type Recipient,
  recipientOf,
} from './embeddings.js'
export { type ListOptions, listModels, type OpenedModel, type OpenModelOptions, openModel } from './open-model.js'
export type { Advice, Environment, Fetch, Provider } from './provider.js'
export { ConnectionClosed, type OutgoingRequest } from './provider-fetch.js'
export { type Secret, secret } from './secrets.js'
export { providers } from './table/index.js'
