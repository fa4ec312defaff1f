import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * An esbuild plugin that gives those who import `zod/mini` a small copy of their own. Code is split by files, and the
 * tools use much of the same package: without it, a search would load all that any tool needs, in forty languages.
 */
export const leanZod = {
  name: 'lean-zod',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod\/mini$/ }, ({ namespace }) => {
      return namespace === 'file' ? { path: 'zod/mini', namespace: 'lean', sideEffects: false } : undefined
    })
    onLoad({ filter: /./, namespace: 'lean' }, async () => {
      const contents = `export { ${(await usedNames()).join(', ')} } from 'zod/mini'`
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: process.cwd() },
        bundle: true,
        format: 'esm',
        platform: 'node',
        write: false,
      })
      return { contents: outputFiles[0].text }
    })
  },
}

/** What our own files use of it, types left out. */
async function usedNames() {
  const sources = readdirSync('src', { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join('src', file), 'utf8'))
    .filter((text) => text.includes("import * as z from 'zod/mini'"))
  const used = new Set(sources.flatMap((text) => [...text.matchAll(/\bz\.(\w+)/g)].map(([, name]) => name)))
  return Object.keys(await import('zod/mini')).filter((name) => used.has(name))
}
