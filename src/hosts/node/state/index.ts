export { makeFolder, privateFolder } from './private-folder.js'
export { type StateFolders, type Surroundings, stateFolders, thisProcess } from './state-folders.js'
export { type VaultFolders, vaultFolders, vaultId } from './vault-folders.js'
