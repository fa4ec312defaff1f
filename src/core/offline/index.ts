export { appGuidance, type OfflineGuidance } from './guidance.js'
export { offlineModel } from './offline-model.js'
