export { type ObsidianVault, obsidianVault } from './obsidian-vault.js'
