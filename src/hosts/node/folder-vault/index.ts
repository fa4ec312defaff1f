export { type FolderVault, type FolderVaultOptions, folderVault, vaultId } from './folder-vault.js'
export type { LockHolder, LockOptions } from './vault-lock.js'
