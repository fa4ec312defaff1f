export { type FolderVault, folderVault } from './folder-vault.js'
