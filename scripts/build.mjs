// Bundles the command line and the library into dist/. `--size` also prints what each output weighs; `--quiet` prints
// only problems; `--types` adds the library's declarations, which take longer than all the rest.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build, transformSync } from 'esbuild'
import { buildLibrary } from './build-library.mjs'
import { buildTypes } from './build-types.mjs'
import { directImports } from './direct-imports.mjs'
import { leanZod } from './lean-zod.mjs'
import { licencesOf } from './licences.mjs'
import { ownLibsql } from './own-libsql.mjs'

const quiet = process.argv.includes('--quiet')
// Built aside and swapped in, so that a running command never finds half of it.
const outdir = 'dist.new'
rmSync(outdir, { recursive: true, force: true })

// Otherwise they are compiled anew at every start, as they are taken for newer than the target.
const asWritten = { 'regexp-unicode-property-escapes': true }
const forNode = {
  supported: asWritten,
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Its modules for Node are CommonJS, which cannot be trimmed and takes longer to load.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  minifySyntax: true,
  minifyWhitespace: true,
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: { js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);" },
  plugins: [ownLibsql, directImports, leanZod],
  metafile: true,
  logLevel: 'warning',
}
// What is run at the start loads the rest of the program itself, so that V8 need not compile it each time.
const start = await build({
  ...forNode,
  format: 'cjs',
  banner: {},
  entryPoints: { notewright: 'src/apps/cli/main.ts' },
})
writeFileSync(`${outdir}/package.json`, '{ "type": "commonjs" }\n')
const commandLine = await build({
  ...forNode,
  banner: {},
  outdir: `${outdir}/chunks`,
  // The library on Node is made of the same chunks: alone, it would weigh as much again as the command line.
  entryPoints: {
    'run-command-line': 'src/apps/cli/run-command-line.ts',
    library: 'src/library.ts',
    core: 'src/core/index.ts',
  },
  splitting: true,
  chunkNames: '[name]-[hash]',
})
for (const file of Object.keys(commandLine.metafile.outputs))
  writeFileSync(file, asCommonJs(readFileSync(file, 'utf8')))
// Each thread is one file with just what it needs, so that it starts fast.
const threads = await build({
  ...forNode,
  entryPoints: ['index-worker', 'store-writer'].map((name) => `src/hosts/node/${name}.ts`),
  outExtension: { '.js': '.mjs' },
})
writeFileSync(`${outdir}/licences.txt`, licencesOf([start, commandLine, threads].map(({ metafile }) => metafile)))
chmodSync(`${outdir}/notewright.js`, 0o755)
rmSync('dist', { recursive: true, force: true })
renameSync(outdir, 'dist')

const library = await buildLibrary('dist')
if (process.argv.includes('--types')) await buildTypes('dist')

if (process.argv.includes('--size')) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0).padStart(6)} kB`
  for (const [file, { bytes }] of Object.entries({
    ...start.metafile.outputs,
    ...commandLine.metafile.outputs,
    ...threads.metafile.outputs,
  })) {
    console.log(`${kilobytes(bytes)}  ${file.replace(outdir, 'dist')}`)
  }
  for (const [what, bytes] of Object.entries(library)) console.log(`${kilobytes(bytes)}  ${what}`)
} else if (!quiet) {
  console.log('Built dist/notewright.js')
}

/** The splitting of bundles knows only ES modules, which V8 compiles anew at every start. */
function asCommonJs(code) {
  const url = code.includes('import.meta.url')
    ? "const moduleUrl=require('node:url').pathToFileURL(__filename).href;"
    : ''
  return transformSync(url + code, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    define: { 'import.meta.url': 'moduleUrl' },
    supported: { ...asWritten, 'dynamic-import': false },
  }).code
}
