export { mcpMount } from './http-mount.js'
export { type McpSetup, type ServedVaults, servedVaults, type VaultNotifications, vaultNotifications } from './setup.js'
export { serveOnStdio } from './stdio.js'
