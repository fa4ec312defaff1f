#!/usr/bin/env node
import { version } from './version.js'

if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  process.stdout.write(`${version}\n`)
} else {
  const { runCommandLine } = await import('./run-command-line.js')
  process.exitCode = await runCommandLine(process.argv.slice(2))
}
