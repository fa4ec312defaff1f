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
  return {
    'dist/core.mjs, the core in one file': Buffer.byteLength(core.code),
    'the same without providers': Buffer.byteLength(lean.code),
  }
}

/** Whoever reads the file meanwhile finds the old or the new one, never half of it. */
export function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
