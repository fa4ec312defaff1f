// Runs one file of examples/: node scripts/run-example.mjs examples/ask-a-vault.ts
import { rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Which one? For example: npm run example examples/ask-a-vault.ts')
  process.exit(2)
}
// Inside node_modules, so that the packages left out of the bundle are found from there.
const bundle = resolve('node_modules/.cache/notewright/examples', `${basename(file, '.ts')}-${process.pid}.mjs`)
await build({
  entryPoints: [file],
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  outfile: bundle,
  logLevel: 'warning',
})
try {
  await import(pathToFileURL(bundle))
} finally {
  rmSync(bundle)
}
