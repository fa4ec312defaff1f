export { howToDecide, openPluginVault, type PluginVault } from './open-vault.js'
export { type ChatBehavior, configOf, type PluginSettings } from './settings.js'
