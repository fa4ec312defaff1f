// Bundles the command line into dist/. `--size` also prints what each output weighs; `--quiet` prints only problems.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build, transformSync } from 'esbuild'
import { directImports } from './direct-imports.mjs'
import { leanZod } from './lean-zod.mjs'
import { licencesOf } from './licences.mjs'

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
  plugins: [directImports, leanZod],
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
  entryPoints: ['src/apps/cli/run-command-line.ts'],
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

// The core must also load where there is no Node: bundling it for a browser fails on any Node import.
const core = await build({
  entryPoints: ['src/core/index.ts'],
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  write: false,
  metafile: true,
  logLevel: 'warning',
})

if (process.argv.includes('--size')) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0).padStart(6)} kB`
  for (const [file, { bytes }] of Object.entries({
    ...start.metafile.outputs,
    ...commandLine.metafile.outputs,
    ...threads.metafile.outputs,
  })) {
    console.log(`${kilobytes(bytes)}  ${file.replace(outdir, 'dist')}`)
  }
  console.log(`${kilobytes(core.outputFiles[0].contents.length)}  the core, minified for a browser`)
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
