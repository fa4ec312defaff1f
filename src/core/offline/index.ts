export type { OfflineWords } from './answers/offline-words.js'
export { offlineModel } from './offline-model.js'
