import { processSurroundings } from '../../hosts/node/state/index.js'
import { version } from '../../hosts/node/version.js'
import { interrupted } from './program/exit-codes.js'
import type { SharedOptions } from './program/invocation.js'
import { createProgram } from './program/program.js'
import { reportFailure } from './program/report-failure.js'
import { type Streams, type Terminal, type TerminalOptions, terminal } from './terminal/index.js'

/** Runs one command line and answers its exit code. Never throws, never calls `process.exit` while work is under way. */
export async function runCommandLine(words: string[]): Promise<number> {
  const stop = new AbortController()
  const output = watchOutput(stop)
  watchInterrupts(stop)
  let surface = openTerminal({ json: asksForJson(words), verbose: false, color: 'auto' })
  const program = createProgram(async (options: SharedOptions, act) => {
    const { verbose = false, json = false } = options
    surface = openTerminal({ json, verbose, color: options.color ? 'auto' : 'never' })
    await act({ options, terminal: surface, surroundings: processSurroundings(), signal: stop.signal, version })
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    // A command that worked but has bad news (doctor) sets the code itself.
    return stop.signal.aborted && !output.isClosed() ? interrupted : Number(process.exitCode ?? 0)
  } catch (error) {
    if (output.isClosed()) return 0
    if (stop.signal.aborted || (error as Error)?.name === 'AbortError') {
      surface.say('Stopped.')
      return interrupted
    }
    return reportFailure(error, surface)
  } finally {
    if (isInputOpen) process.stdin.pause()
  }
}

let isInputOpen = false

function openTerminal(options: TerminalOptions): Terminal {
  const { stdout: output, stderr: messages, env: environment } = process
  const streams: Streams = {
    output,
    messages,
    environment,
    get input() {
      isInputOpen = true
      return process.stdin
    },
  }
  return terminal(streams, options)
}

/** `notewright search … | head` closes the pipe: that is an ending, not an error. */
function watchOutput(stop: AbortController): { isClosed(): boolean } {
  let isClosed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isClosed = true
    stop.abort()
  })
  process.stderr.on('error', () => {})
  return { isClosed: () => isClosed }
}

/** The first Ctrl-C lets the work stop cleanly, the second does not wait. */
function watchInterrupts(stop: AbortController): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(interrupted)
      stop.abort()
    })
  }
}

/** Needed before the options are read: also a usage error is reported the way it was asked for. */
function asksForJson(words: string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? words.length : end).includes('--json')
}
