export { planSettle, planUndo } from '../../../core/vault/index.js'
export { applyChanges } from './apply-changes.js'
export { recoverEntry } from './recover-entry.js'
export { strayFiles } from './stray-files.js'
