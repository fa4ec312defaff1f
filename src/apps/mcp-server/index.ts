export { mcpDoor } from './http/mcp-door.js'
export { type VaultNews, vaultNews } from './log/vault-news.js'
export { type McpSetup, type ServedVaults, servedVaults } from './setup.js'
export { serveOnStdio } from './stdio/serve-on-stdio.js'
