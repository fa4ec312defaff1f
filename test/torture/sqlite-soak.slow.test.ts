import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const run = promisify(execFile)

it('SQLite survives what is opened, closed and left to the garbage collector, in threads too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-soak-test-'))
  const outfile = join(folder, 'torture.mjs')
  try {
    await build({
      entryPoints: [resolve('test/torture/run.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      banner: {
        js: "import{createRequire as nodeRequire}from'node:module';const require=nodeRequire(import.meta.url);",
      },
      logLevel: 'warning',
    })
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    const { stdout } = await run(process.execPath, [outfile, 'child', 'soak', folder, '80'])
    expect(JSON.parse(stdout).opens).toBeGreaterThanOrEqual(80)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
