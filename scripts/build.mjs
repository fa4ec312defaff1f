// Bundles the command line, the web app's page and the library into dist/. `--size` also prints what each output weighs; `--quiet` prints
// only problems; `--types` adds the library's declarations, which take longer than all the rest.
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'rolldown'
import { buildLibrary } from './build-library.mjs'
import { buildTypes } from './build-types.mjs'
import { buildWeb } from './build-web.mjs'
import { noOldSchemas, oneLanguage } from './left-out.mjs'
import { licencesOf } from './licences.mjs'

const quiet = process.argv.includes('--quiet')
// Built aside and swapped in, so that a running command never finds half of it.
const outdir = 'dist.new'
rmSync(outdir, { recursive: true, force: true })

/** What is installed beside us: it brings binaries. */
const installed = ['@photostructure/sqlite', '@napi-rs/keyring']

const forNode = {
  platform: 'node',
  external: installed,
  transform: { target: 'node20.19' },
  // Its modules for Node are CommonJS, which cannot be trimmed and takes longer to load.
  resolve: {
    alias: {
      yaml: resolve('node_modules/yaml/browser/index.js'),
      // What Node would load asks for its parts by names that nobody can find in a bundle.
      'jsonc-parser': resolve('node_modules/jsonc-parser/lib/esm/main.js'),
      // On Node the SDK brings a validator of schemas as large as all of our tools. We hold answers against them ourselves.
      '@modelcontextprotocol/server/_shims': resolve('node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs'),
      '@modelcontextprotocol/client/_shims': resolve('node_modules/@modelcontextprotocol/client/dist/shimsBrowser.mjs'),
    },
  },
  plugins: [oneLanguage, noOldSchemas],
  onLog: (level, { message }) => {
    if (level === 'warn') console.warn(message)
  },
}
// Names are kept: they stand in the stack of an error.
const output = {
  dir: outdir,
  format: 'esm',
  comments: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
}
// Not by esbuild: it loads whatever stands behind a room's door, used or not, which tripled what a search loads.
const commandLine = await build({
  ...forNode,
  // The library on Node is made of the same chunks: alone, it would weigh as much again as the command line.
  input: { notewright: 'src/apps/cli/main.ts', library: 'src/library.ts', core: 'src/core/index.ts' },
  output: { ...output, chunkFileNames: 'chunks/[name]-[hash].js' },
})
// Each thread is one file with just what it needs, so that it starts fast.
const threads = []
for (const name of ['index-worker', 'store-writer', 'segment-maker']) {
  threads.push(
    await build({
      ...forNode,
      input: { [name]: `src/hosts/node/${name}.ts` },
      output: { ...output, entryFileNames: '[name].mjs', codeSplitting: false },
    }),
  )
}
const built = [commandLine, ...threads].flatMap(({ output: files }) => files)
const page = await buildWeb(`${outdir}/web`)
const parts = [...built.flatMap(({ modules }) => Object.keys(modules)), ...page.files]
writeFileSync(`${outdir}/licences.txt`, licencesOf(parts))
chmodSync(`${outdir}/notewright.js`, 0o755)
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
