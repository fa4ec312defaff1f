import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { relative } from 'node:path/posix'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Writes the files of a run that failed into the file named by `NOTEWRIGHT_FAILED_FILES`, one per line, so that CI can run
 * exactly these once more in new processes. An error that belongs to no file is written as `?`: it cannot be tried again.
 */
export class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly object[]): void {
    const target = process.env.NOTEWRIGHT_FAILED_FILES
    if (target === undefined || target === '') return
    const failed = modules.filter((module) => module.state() === 'failed').map((module) => module.relativeModuleId)
    const ofErrors = errors.map((error) =>
      'VITEST_TEST_PATH' in error ? relative(process.cwd(), String(error.VITEST_TEST_PATH)) : '?',
    )
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, [...new Set([...failed, ...ofErrors])].map((file) => `${file}\n`).join(''))
  }
}
