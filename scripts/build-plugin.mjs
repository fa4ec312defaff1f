// Bundles the Obsidian plugin into dist/obsidian: the three files that a user puts into the vault. `--size` also prints
// what it is made of.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { bundle, pageStyle } from './bundle.mjs'
import { noOldSchemas } from './left-out.mjs'
import { licencesOf } from './licences.mjs'

/** Obsidian reads it before it shows anything, and syncs it. */
const mostBytes = 2_300_000

/**
 * The script that this file and all it imports become, and the modules it is made of; `late` are those imported when
 * needed. `atOnce`: all of it runs when it is loaded.
 */
export async function bundlePlugin(input = 'src/apps/obsidian/main.ts', { atOnce = false } = {}) {
  const late = new Set()
  const seeLate = {
    name: 'see-late-imports',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        for (const imported of this.getModuleInfo(id)?.dynamicallyImportedIds ?? []) late.add(imported)
      }
    },
  }
  const output = await bundle({
    input,
    platform: 'browser',
    // Provided by the app. Everything else is in the file, and nothing of Node is needed.
    external: ['obsidian'],
    // Most modules run when they are first used, if at all: they need not be compiled while the app waits.
    optimization: { pifeForModuleWrappers: atOnce },
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [noOldSchemas, seeLate],
    strict: true,
    output: { format: 'cjs', exports: 'named', minify: true, codeSplitting: false, comments: false },
  })
  if (output.length > 1) throw new Error('The plugin needs more than one file.')
  return { code: output[0].code, modules: output[0].modules, late: [...late] }
}

/** The plugin in a folder: what its script weighs, and the files it was made of with their sizes. */
export async function buildPlugin(folder) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const manifest = JSON.parse(readFileSync('manifest.json', 'utf8'))
  if (manifest.version !== version) throw new Error(`manifest.json says ${manifest.version}, package.json ${version}.`)
  const needed = JSON.parse(readFileSync('versions.json', 'utf8'))[version]
  if (needed !== manifest.minAppVersion)
    throw new Error(`versions.json says ${needed} of ${version}, manifest.json not.`)
  const { code, modules } = await bundlePlugin()
  const bytes = Buffer.byteLength(code)
  if (bytes > mostBytes) throw new Error(`The plugin weighs ${bytes} bytes; at most ${mostBytes}.`)
  mkdirSync(folder, { recursive: true })
  // The licences of what is in it go with it.
  const licences = licencesOf(Object.keys(modules)).replaceAll('*/', '* /')
  writeFileSync(`${folder}/main.js`, `${code}\n/*\n${licences}\n*/\n`)
  writeFileSync(`${folder}/styles.css`, pageStyle('src/apps/obsidian/styles.css'))
  copyFileSync('manifest.json', `${folder}/manifest.json`)
  const sizes = Object.entries(modules).map(([file, { renderedLength }]) => ({ file, size: renderedLength }))
  return { bytes, sizes }
}

/** Sizes of packages and folders, largest first. */
export function sharesOf(sizes) {
  const parts = new Map()
  for (const { file, size } of sizes) {
    const part = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? /src\/\w+(?:\/[\w-]+)?/.exec(file)?.[0] ?? file
    parts.set(part, (parts.get(part) ?? 0) + size)
  }
  return [...parts].sort((a, b) => b[1] - a[1])
}

if (process.argv[1] === import.meta.filename) {
  const { bytes, sizes } = await buildPlugin('dist/obsidian')
  console.log(`${(bytes / 1000).toFixed(0)} kB  dist/obsidian/main.js`)
  if (process.argv.includes('--size')) {
    for (const [part, size] of sharesOf(sizes).slice(0, 25)) {
      console.log(`  ${(size / 1000).toFixed(0).padStart(6)} kB  ${part}, before it is minified`)
    }
  }
}
