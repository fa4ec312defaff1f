export { type McpSetup, type ServedVaults, servedVaults } from './setup.js'
export { serveOnStdio } from './stdio/serve-on-stdio.js'
