export { type AskAboutFolder, type FoundVault, findVault } from './find-vault.js'
export { obsidianVaults } from './obsidian-registry.js'
export { vaultWish } from './vault-wish.js'
export { type VaultHere, vaultsHere } from './vaults-here.js'
