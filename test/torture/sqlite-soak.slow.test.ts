import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bundleTorture } from '../../scripts/torture.mjs'

const run = promisify(execFile)

it('SQLite survives objects that are opened, closed or left to the garbage collector, in threads too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-soak-test-'))
  try {
    const { stdout } = await run(process.execPath, [await bundleTorture(folder), 'child', 'soak', folder, '80'])
    expect(JSON.parse(stdout).opens).toBeGreaterThanOrEqual(80)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
