// Runs one file of examples/ on a copy of the sample vault: node scripts/run-example.mjs examples/01-ask.ts
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadBundle } from './bundle.mjs'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Which one? For example: npm run example examples/01-ask.ts')
  process.exit(2)
}
const input = resolve(file)
const repository = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'notewright-example-'))
try {
  cpSync('examples/vault', join(folder, 'Notes'), { recursive: true })
  // With settings and state of its own, so that examples do the same for everyone and leave nothing behind.
  process.env.NOTEWRIGHT_HOME = join(folder, 'home')
  process.chdir(folder)
  await loadBundle({ input })
} finally {
  process.chdir(repository)
  rmSync(folder, { recursive: true, force: true })
}
