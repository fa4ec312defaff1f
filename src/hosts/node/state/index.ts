export { makeFolder, privateFolder } from './private-folder.js'
export { processSurroundings, type StateFolders, type Surroundings, stateFolders } from './state-folders.js'
export { type VaultFolders, vaultFolders, vaultId } from './vault-folders.js'
