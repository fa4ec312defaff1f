export { advisedRows, pluginAdvice } from './advice.js'
export { type KeyRecipient, recipientOfKey, recipientOfSearchKey, webSearchService } from './key-recipients.js'
export { howToDecide, openPluginVault, type PluginVault } from './open-vault.js'
export { type ChatBehavior, configOf, type PluginSettings } from './settings.js'
