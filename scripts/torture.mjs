// Bundles test/torture into a temporary file and runs it: the torture starts itself as other processes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const folder = mkdtempSync(join(tmpdir(), 'notewright-torture-build-'))
const outfile = join(folder, 'torture.mjs')
await build({
  entryPoints: ['test/torture/run.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: { js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);" },
})
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1
