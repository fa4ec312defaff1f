export { type AskAboutFolder, type FoundVault, findVault } from './find-vault.js'
export { vaultWish } from './vault-wish.js'
