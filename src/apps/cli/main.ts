#!/usr/bin/env node
import { join } from 'node:path'
import { stateFolders } from '../../hosts/node/state/index.js'
import { version } from '../../hosts/node/version.js'
import { loadProgram } from './start/load-program.js'

async function main(): Promise<void> {
  if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
    process.stdout.write(`${version}\n`)
    return
  }
  type CommandLine = typeof import('./run-command-line.js')
  const file = join(__dirname, 'chunks', 'run-command-line.js')
  const program = loadProgram<CommandLine>(file, stateFolders().cache)
  process.exitCode = await program.exports.runCommandLine(process.argv.slice(2))
  // What failed has hardly compiled what the next command needs.
  if (process.exitCode === 0) program.remember()
}

main()
