export { makeFolder, privateFolder } from './private-folder.js'
export { processSurroundings, type StateFolders, type Surroundings, stateFolders } from './state-folders.js'
export { journalFailure, whyUnwritable } from './unwritable.js'
export { vaultFolders, vaultId } from './vault-folders.js'
