export { type FolderVault, type FolderVaultOptions, folderVault } from './folder-vault.js'
export type { LockHolder, LockOptions } from './vault-lock.js'
