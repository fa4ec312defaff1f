// Writes the pages of docs/reference that are generated from the code: cli.md, config.md, mcp.md, routes.md and tools.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

// Inside node_modules, so that the packages left out of the bundle are found from there.
const bundle = 'node_modules/.cache/notewright/reference.mjs'
await build({
  stdin: {
    contents: `export { cliReference } from './src/apps/cli/reference/cli-reference.js'
export { configReference } from './src/core/config/index.js'
export { mcpReference } from './src/apps/mcp-server/reference/mcp-reference.js'
export { routesReference } from './src/apps/cli/reference/routes-reference.js'
export { toolsReference } from './src/apps/cli/reference/tools-reference.js'`,
    resolveDir: '.',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  outfile: bundle,
  logLevel: 'warning',
  // What the commands do is loaded on use; the pages need only how they are called.
  plugins: [
    {
      name: 'leave-out-actions',
      setup: (bundler) =>
        bundler.onResolve({ filter: /^\./ }, ({ kind, path }) =>
          kind === 'dynamic-import' ? { path, external: true } : undefined,
        ),
    },
  ],
})
const { cliReference, configReference, mcpReference, routesReference, toolsReference } = await import(
  pathToFileURL(bundle)
)

mkdirSync('docs/reference', { recursive: true })
writeFileSync('docs/reference/cli.md', cliReference())
writeFileSync('docs/reference/config.md', configReference())
writeFileSync('docs/reference/routes.md', routesReference())
writeFileSync('docs/reference/tools.md', toolsReference())
writeFileSync('docs/reference/mcp.md', mcpReference())
console.log('Wrote cli.md, config.md, mcp.md, routes.md and tools.md in docs/reference')
