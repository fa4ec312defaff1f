// The engine as one module, bundled from its source for this run.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { cacheFolder, repository } from '../data.mjs'

export async function loadEngine(root = repository) {
  const folder = mkdtempSync(join(cacheFolder, 'engine-'))
  const outfile = join(folder, 'engine.mjs')
  await build({
    stdin: {
      contents: `
        export * from './src/core/vault-index/engine/index.js'
        export { defaultRecipe } from './src/core/vault-index/engine/recipe.js'
        export * from './src/core/vault-index/semantic/index.js'
        export { answerSearch } from './src/core/vault-index/answer-search.js'
        export { noteFacts, passesFilter } from './src/core/vault-index/note-facts.js'
        export { parseNote } from './src/core/markdown/parse-note.js'`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    outfile,
    logLevel: 'error',
  })
  try {
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
