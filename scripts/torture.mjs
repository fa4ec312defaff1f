// Bundles test/torture into a temporary file and runs it: the torture starts itself as other processes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writePrograms } from './bundle.mjs'

/** Writes the bundle into `folder`, beside a link to the installed packages, and returns its path. */
export async function bundleTorture(folder) {
  await writePrograms(
    folder,
    { torture: 'test/torture/run.ts' },
    { resolve: { alias: { obsidian: resolve('test/obsidian-host/node-obsidian.mjs') } } },
  )
  return join(folder, 'torture.mjs')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-torture-build-'))
  const bundle = await bundleTorture(folder)
  const { status } = spawnSync(process.execPath, [bundle, ...process.argv.slice(2)], { stdio: 'inherit' })
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = status ?? 1
}
