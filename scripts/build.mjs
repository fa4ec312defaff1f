// Bundles the command line and the library into dist/. `--size` also prints what each output weighs; `--quiet` prints
// only problems; `--types` adds the library's declarations, which take longer than all the rest.
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { buildLibrary } from './build-library.mjs'
import { buildTypes } from './build-types.mjs'
import { licencesOf } from './licences.mjs'

const quiet = process.argv.includes('--quiet')
// Built aside and swapped in, so that a running command never finds half of it.
const outdir = 'dist.new'
rmSync(outdir, { recursive: true, force: true })

/** Zod can say what is wrong in forty languages. We show none of them, and each start would load them all. */
const oneLanguage = {
  name: 'one-language',
  setup: ({ onLoad }) => onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: '' })),
}
const forNode = {
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Otherwise they are made anew at every start, as they are taken for newer than the target.
  supported: { 'regexp-unicode-property-escapes': true },
  // Its modules for Node are CommonJS, which cannot be trimmed and takes longer to load.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  minifySyntax: true,
  minifyWhitespace: true,
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: { js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);" },
  plugins: [oneLanguage],
  metafile: true,
  logLevel: 'warning',
}
const commandLine = await build({
  ...forNode,
  // The library on Node is made of the same chunks: alone, it would weigh as much again as the command line.
  entryPoints: { notewright: 'src/apps/cli/main.ts', library: 'src/library.ts', core: 'src/core/index.ts' },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
})
// Each thread is one file with just what it needs, so that it starts fast.
const threads = await build({
  ...forNode,
  entryPoints: ['index-worker', 'store-writer'].map((name) => `src/hosts/node/${name}.ts`),
  outExtension: { '.js': '.mjs' },
})
writeFileSync(`${outdir}/licences.txt`, licencesOf([commandLine, threads].map(({ metafile }) => metafile)))
chmodSync(`${outdir}/notewright.js`, 0o755)
rmSync('dist', { recursive: true, force: true })
renameSync(outdir, 'dist')

const library = await buildLibrary('dist')
if (process.argv.includes('--types')) await buildTypes('dist')

if (process.argv.includes('--size')) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0).padStart(6)} kB`
  for (const [file, { bytes }] of Object.entries({
    ...commandLine.metafile.outputs,
    ...threads.metafile.outputs,
  })) {
    console.log(`${kilobytes(bytes)}  ${file.replace(outdir, 'dist')}`)
  }
  for (const [what, bytes] of Object.entries(library)) console.log(`${kilobytes(bytes)}  ${what}`)
} else if (!quiet) {
  console.log('Built dist/notewright.js')
}
