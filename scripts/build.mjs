// Bundles the command line, the web app's page and the library into dist/. `--size` also prints what each output weighs; `--quiet` prints
// only problems; `--types` adds the library's declarations, which take longer than all the rest.
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildLibrary } from './build-library.mjs'
import { buildTypes } from './build-types.mjs'
import { buildWeb } from './build-web.mjs'
import { bundle } from './bundle.mjs'
import { noOldSchemas, oneLanguage } from './left-out.mjs'
import { licencesOf } from './licences.mjs'

const quiet = process.argv.includes('--quiet')
// Built aside and swapped in, so that a running command never finds half of it.
const outdir = 'dist.new'
rmSync(outdir, { recursive: true, force: true })

/** Packages that are installed instead of bundled, because they contain binaries. */
const installed = ['@photostructure/sqlite', '@napi-rs/keyring']

const forNode = {
  platform: 'node',
  external: installed,
  // Its modules for Node are CommonJS, which cannot be trimmed and takes longer to load.
  resolve: {
    alias: {
      yaml: resolve('node_modules/yaml/browser/index.js'),
      // The entry that Node would load requires its parts by names that a bundler cannot resolve.
      'jsonc-parser': resolve('node_modules/jsonc-parser/lib/esm/main.js'),
      // On Node the SDK brings a validator of schemas as large as all of our tools. We hold answers against them ourselves.
      '@modelcontextprotocol/server/_shims': resolve('node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs'),
      '@modelcontextprotocol/client/_shims': resolve('node_modules/@modelcontextprotocol/client/dist/shimsBrowser.mjs'),
    },
  },
  plugins: [oneLanguage, noOldSchemas],
  strict: true,
}
// Names are kept: they stand in the stack of an error.
const output = {
  dir: outdir,
  format: 'esm',
  comments: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
}
const commandLine = await bundle({
  ...forNode,
  // The library on Node is made of the same chunks: alone, it would weigh as much again as the command line.
  input: { notewright: 'src/apps/cli/main.ts', library: 'src/library.ts', core: 'src/core/index.ts' },
  output: { ...output, chunkFileNames: 'chunks/[name]-[hash].js' },
})
// Each thread is one file with just what it needs, so that it starts fast.
const threads = []
for (const name of ['index-worker', 'store-writer', 'segment-maker']) {
  threads.push(
    await bundle({
      ...forNode,
      input: { [name]: `src/hosts/node/${name}.ts` },
      output: { ...output, entryFileNames: '[name].mjs', codeSplitting: false },
    }),
  )
}
const built = [...commandLine, ...threads.flat()]
const page = await buildWeb(`${outdir}/web`)
const parts = [...built.flatMap(({ modules }) => Object.keys(modules)), ...page.files]
writeFileSync(`${outdir}/licences.txt`, licencesOf(parts))
chmodSync(`${outdir}/notewright.js`, 0o755)
// The plugin is built on its own (build-plugin.mjs) and stays.
if (existsSync('dist/obsidian')) renameSync('dist/obsidian', `${outdir}/obsidian`)
rmSync('dist', { recursive: true, force: true })
renameSync(outdir, 'dist')

const library = await buildLibrary('dist')
if (process.argv.includes('--types')) await buildTypes('dist')

if (process.argv.includes('--size')) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0).padStart(6)} kB`
  for (const { fileName, code } of built) console.log(`${kilobytes(Buffer.byteLength(code))}  dist/${fileName}`)
  console.log(`${kilobytes(page.bytes)}  dist/web, compressed: what the page loads first`)
  console.log(`${kilobytes(library.whole)}  dist/core.mjs, the core in one file`)
  console.log(`${kilobytes(library.lean)}  the same without providers; what it is made of, before it is minified:`)
  for (const [part, bytes] of library.parts.filter(([, size]) => size >= 1024)) {
    console.log(`  ${kilobytes(bytes)}  ${part}`)
  }
} else if (!quiet) {
  console.log('Built dist/notewright.js')
}
