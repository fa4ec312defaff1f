// Everything here that bundles TypeScript does it through this file, with rolldown.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle as bundleCss } from 'lightningcss'
import { rolldown } from 'rolldown'

const repository = join(import.meta.dirname, '..')

/**
 * The files that `input` becomes; written where `output` has a `dir` or a `file`. `source` stands in for a file at `root`.
 * `packages: 'external'` leaves installed packages out. Where it is `strict`, a warning fails.
 */
export async function bundle({ input, source, root = repository, packages, strict = false, output, ...options }) {
  const { transform, plugins = [] } = options
  const build = await rolldown({
    ...(packages === 'external' && { external: isPackage }),
    tsconfig: false,
    ...options,
    input: source === undefined ? input : 'source',
    transform: { target: 'node20.19', ...transform },
    plugins: source === undefined ? plugins : [...plugins, sourceFile(source, join(root, 'source.ts'))],
    onLog(_level, { message }) {
      if (strict) throw new Error(`This does not bundle: ${message}`)
    },
  })
  const isWritten = output.dir !== undefined || output.file !== undefined
  const { output: files } = await build[isWritten ? 'write' : 'generate'](output)
  await build.close()
  return files
}

/** The library by its own name, as the examples import it. */
const own = { notewright: join(repository, 'src/library.ts') }

const isPackage = (name, importer) =>
  importer !== undefined && !name.startsWith('.') && !isAbsolute(name) && !(name in own)

function sourceFile(text, file) {
  return {
    name: 'source-file',
    resolveId: (name) => (name === 'source' ? file : null),
    load: (id) => (id === file ? text : null),
  }
}

/** One script for a page that is served nowhere else: `format` is `iife`, or `esm` for a module. */
export async function pageScript(input, { format = 'iife', alias, define } = {}) {
  const [{ code }] = await bundle({
    input,
    platform: 'browser',
    resolve: { alias },
    transform: { target: 'es2022', define },
    output: { format, codeSplitting: false },
  })
  return code
}

/** A page's style with what it imports, as one minified text. */
export function pageStyle(file) {
  return new TextDecoder().decode(bundleCss({ filename: file, minify: true }).code)
}

let loaded = 0

/** Imports a module straight from its source: the file `input`, or `source` as if it were a file at `root`. */
export async function loadBundle({ input, source, root = repository }) {
  // Inside node_modules, so that the packages left out of the bundle are found from there.
  const folder = join(root, 'node_modules/.cache/notewright', `${process.pid}-${++loaded}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'module.mjs')
  try {
    const output = { file, format: 'esm', codeSplitting: false }
    await bundle({ input, source, root, platform: 'node', packages: 'external', resolve: { alias: own }, output })
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes programs for Node into a folder, with a link to the installed packages beside them. `input` has a file for each name. */
export async function writePrograms(folder, input, options = {}) {
  const output = { dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
  await bundle({ input, platform: 'node', ...options, output })
  symlinkSync(resolve(repository, 'node_modules'), join(folder, 'node_modules'))
}
