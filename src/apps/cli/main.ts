#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { stateFolders } from '../../hosts/node/state-folders.js'
import { version } from '../../hosts/node/version.js'

async function main(): Promise<void> {
  if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2] ?? '')) {
    process.stdout.write(`${version}\n`)
    return
  }
  keepCompiledCode(stateFolders().cache)
  leaveOutExperimentalWarnings()
  const { runCommandLine } = await import('./run-command-line.js')
  process.exitCode = await runCommandLine(process.argv.slice(2))
}

/** Node 22.8 and later caches compiled code. Used only in an existing folder of ours, which others cannot write to. */
function keepCompiledCode(cache: string): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => void }
  if (existsSync(cache)) enableCompileCache?.(join(cache, 'code'))
}

/**
 * Works like `--disable-warning=ExperimentalWarning`: users need not know that Node's SQLite is experimental. The
 * option cannot be given in the first line, because not every `env` supports -S.
 */
function leaveOutExperimentalWarnings(): void {
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listen of listeners) listen(warning)
  })
}

main()
