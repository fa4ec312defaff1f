// Writes the pages of docs/reference that are generated from the code: cli, config, library, mcp, routes and tools.
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadBundle } from './bundle.mjs'
import { libraryReference } from './library-reference.mjs'

const { cliReference, configReference, mcpReference, routesReference, toolsReference } = await loadBundle({
  source: `
export { cliReference } from './src/apps/cli/reference/cli-reference.js'
export { configReference } from './src/core/config/index.js'
export { mcpReference } from './src/apps/mcp/mcp-reference.js'
export { routesReference } from './src/apps/cli/reference/routes-reference.js'
export { toolsReference } from './src/apps/cli/reference/tools-reference.js'`,
})

mkdirSync('docs/reference', { recursive: true })
writeFileSync('docs/reference/cli.md', await cliReference())
writeFileSync('docs/reference/config.md', configReference())
writeFileSync('docs/reference/routes.md', routesReference())
writeFileSync('docs/reference/tools.md', toolsReference())
writeFileSync('docs/reference/mcp.md', mcpReference())
writeFileSync('docs/reference/library.md', libraryReference())
console.log('Wrote cli.md, config.md, library.md, mcp.md, routes.md and tools.md in docs/reference')
