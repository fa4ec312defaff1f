// Bundles the command line into dist/. `--size` also prints what each output weighs; `--quiet` prints only problems.
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
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
  entryPoints: { notewright: 'src/apps/cli/main.ts' },
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
    ...commandLine.metafile.outputs,
    ...threads.metafile.outputs,
  })) {
    console.log(`${kilobytes(bytes)}  ${file.replace(outdir, 'dist')}`)
  }
  console.log(`${kilobytes(core.outputFiles[0].contents.length)}  the core, minified for a browser`)
} else if (!quiet) {
  console.log('Built dist/notewright.js')
}
