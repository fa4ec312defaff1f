import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { repository } from './data.mjs'

/** Loads modules of the product straight from their source, for measures that no command of ours prints. */
export async function bundled(...entries) {
  // Inside the repository, so that the packages left out of the bundle are found.
  const folder = join(repository, 'bench', '.cache', String(process.pid))
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, 'bundle.mjs')
  try {
    await build({
      stdin: {
        contents: entries.map((entry) => `export * from ${JSON.stringify(`./${entry}`)}`).join('\n'),
        resolveDir: repository,
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
