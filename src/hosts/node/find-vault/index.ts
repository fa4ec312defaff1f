export { type FoundVault, findVault, type VaultWish } from './find-vault.js'
