import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleCore } from './bundle-core.mjs'
import { withLicencesOf } from './licences.mjs'

/** Writes `core.mjs`, the core in one file for any host but Node, which shares the command line's chunks. Answers what it weighs. */
export async function buildLibrary(outdir) {
  const core = await bundleCore()
  const lean = await bundleCore({ withProviders: false })
  writeWhole(join(outdir, 'core.mjs'), core.code)
  const licences = join(outdir, 'licences.txt')
  writeWhole(licences, withLicencesOf(core.files, readFileSync(licences, 'utf8')))
  return { whole: Buffer.byteLength(core.code), lean: Buffer.byteLength(lean.code), parts: partsOf(lean.sizes) }
}

/** Sizes of the folders and packages in a bundle, largest first. */
function partsOf(sizes) {
  const parts = new Map()
  for (const { file, size } of sizes) {
    const [, name] = /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)(?!.*node_modules)/.exec(file) ?? []
    const [, room] = /src[\\/](core[\\/][^\\/]+)/.exec(file) ?? []
    const part = name ?? room ?? 'between them'
    parts.set(part, (parts.get(part) ?? 0) + size)
  }
  return [...parts].sort(([, one], [, another]) => another - one)
}

/** Replaces a file at once: a concurrent reader gets the old or the new one, never a part. */
export function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
