export { askKey, type Conversation, terminalConversation } from './conversation.js'
export { terminalAsker } from './terminal-asker.js'
