// Loaded with the first change: a process that only reads starts sooner without it.
export { applyChanges, planResolution, planUndo, recoverEntries } from '../../../core/vault/index.js'
export { diskChangeHost } from './change-host.js'
export { strayFiles } from './temporary-files.js'
export { pluginWriteLease } from './write-lease.js'
