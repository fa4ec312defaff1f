import { bundle, pageStyle } from './bundle.mjs'

/** A page's script and style, each as one minified file that loads nothing else, and the files the script came from. */
export async function bundlePage({ script, style }) {
  const [{ code: js, modules }] = await bundled(script, { codeSplitting: false })
  return { js, css: pageStyle(style), files: Object.keys(modules) }
}

/**
 * The same in parts: what is imported when it is first wanted becomes a file of its own. `name` is the page's; every file is
 * named by what is in it. `scripts` has the page's own first.
 */
export async function bundlePageInParts({ name, script, style }) {
  const names = { entryFileNames: `${name}-[hash].js`, chunkFileNames: '[name]-[hash].js' }
  const chunks = await bundled(script, names)
  return {
    scripts: chunks.map(({ fileName, code, isEntry, imports }) => ({ fileName, code, isEntry, imports })),
    css: pageStyle(style),
    files: [...new Set(chunks.flatMap(({ modules }) => Object.keys(modules)))],
  }
}

const bundled = (script, options) =>
  bundle({
    input: script,
    platform: 'browser',
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
    strict: true,
    output: { format: 'esm', minify: true, comments: false, ...options },
  })
