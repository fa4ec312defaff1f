// Bundles test/eval into a temporary file and runs it, so that it tries the sources as they are.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const folder = mkdtempSync(join(tmpdir(), 'notewright-eval-build-'))
const outfile = join(folder, 'eval.mjs')
await build({
  entryPoints: ['test/eval/run.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
})
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1
