#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { stateFolders } from '../../hosts/node/state/index.js'
import { version } from '../../hosts/node/version.js'

async function main(): Promise<void> {
  if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
    process.stdout.write(`${version}\n`)
    return
  }
  keepCompiledCode(stateFolders().cache)
  leaveOutExperimentalWarnings()
  const { runCommandLine } = await import('./run-command-line.js')
  process.exitCode = await runCommandLine(process.argv.slice(2))
}

/** From 22.8 on, Node remembers what V8 compiled. Not before there is a folder of ours, which others cannot write to. */
function keepCompiledCode(cache: string): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => void }
  if (existsSync(cache)) enableCompileCache?.(join(cache, 'code'))
}

/**
 * What `--disable-warning=ExperimentalWarning` does: that Node's own SQLite may change is news for us, not for whoever
 * searches notes. The first line cannot give the option, for not every `env` knows -S.
 */
function leaveOutExperimentalWarnings(): void {
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listen of listeners) listen(warning)
  })
}

main()
