export { type FoundVault, findVault, type VaultWish } from './find-vault.js'
export { vaultWish } from './vault-wish.js'
