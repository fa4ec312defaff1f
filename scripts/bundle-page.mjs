import { build as bundleStyles } from 'esbuild'
import { rolldown } from 'rolldown'

/** A page's script and style, each as one minified file that loads nothing else, and the files the script came from. */
export async function bundlePage({ script, style }) {
  const bundle = await rolldown({
    input: script,
    platform: 'browser',
    tsconfig: false,
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
    onLog: (_level, { message }) => {
      throw new Error(`The page does not bundle: ${message}`)
    },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false, comments: false })
  await bundle.close()
  const { outputFiles } = await bundleStyles({ entryPoints: [style], bundle: true, minify: true, write: false })
  return { js: output[0].code, css: outputFiles[0].text, files: Object.keys(output[0].modules) }
}
