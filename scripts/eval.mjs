// Bundles test/eval into a temporary file and runs it, so that it tries the sources as they are.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePrograms } from './bundle.mjs'

const folder = mkdtempSync(join(tmpdir(), 'notewright-eval-build-'))
await writePrograms(folder, { eval: 'test/eval/run.ts' }, { packages: 'external' })
const { status } = spawnSync(process.execPath, [join(folder, 'eval.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1
