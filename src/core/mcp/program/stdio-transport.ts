import { Failure } from '../../errors.js'
import type { ServerTransport } from '../connect-server.js'
import type { MessageLimits } from '../message-limits.js'
import { endWithUs } from './end-with-us.js'
import { messageReader } from './message-reader.js'
import type { Program, Programs } from './programs.js'

export interface StdioLaunch {
  server: string
  command: string
  args: readonly string[]
  environment: Record<string, string>
  /** Lines of its standard error. */
  onLine?: (line: string) => void
  limits?: MessageLimits
}

/** How long it may take to end by itself when its input has. */
const lingerMs = 1000

type SentMessage = Parameters<ServerTransport['send']>[0]

/** A server as a child process that speaks in lines. No shell reads its arguments, and it ends with us. */
export function stdioTransport(launch: StdioLaunch, programs: Programs): ServerTransport {
  const { server, command, args, environment, onLine } = launch
  let child: Program | undefined
  let ended: Promise<void> = Promise.resolve()
  let lastLine = ''
  let isEnded = false
  const kill = () => endGroup(child, programs)

  /** The first reason counts: what follows is only that we have ended it. */
  function fail(failure: Failure): void {
    if (!isEnded) self.onerror?.(failure)
    isEnded = true
    kill()
  }

  function hearErrors(bytes: Uint8Array): void {
    for (const line of new TextDecoder().decode(bytes).slice(0, 10_000).split('\n')) {
      if (line.trim() === '') continue
      lastLine = line.trim().slice(0, 300)
      onLine?.(line.slice(0, 2000))
    }
  }

  /** Resolves when all that it wrote was heard. */
  function listenTo(made: Program): Promise<void> {
    const read = messageReader(server, (message) => self.onmessage?.(message as SentMessage), launch.limits)
    made.stdout.on('data', (bytes) => {
      try {
        read(bytes)
      } catch (error) {
        made.stdout.removeAllListeners('data')
        made.stdout.resume()
        fail(error as Failure)
      }
    })
    made.stderr.on('data', hearErrors)
    // What is written to one that has just gone.
    made.stdin.on('error', () => {})
    return new Promise((tell) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const over = () => {
        clearTimeout(timer)
        tell()
      }
      made.once('close', over)
      made.once('error', over)
      made.once('exit', (code, signal) => {
        const how = signal ?? `exit code ${code}`
        fail(gone(`The MCP server ${server} ended (${how})${lastLine ? `: ${lastLine}` : '.'}`, code))
        // What it has started may hold its pipes open.
        timer = setTimeout(() => made.stdout.destroy(), lingerMs)
      })
    })
  }

  const self: ServerTransport = {
    start: () =>
      new Promise((resolve, reject) => {
        // In a group of its own: programs that start the real server (npx, uvx) are ended together with it.
        const made = programs.spawn(command, [...args], {
          env: environment,
          stdio: 'pipe',
          detached: programs.platform !== 'win32',
          shell: false,
          windowsHide: true,
        })
        child = made
        const callOff = made.pid === undefined ? () => {} : endWithUs(made.pid, programs)
        const stay = programs.whenWeGo(kill)
        ended = listenTo(made)
        void ended.then(() => {
          stay()
          callOff()
          self.onclose?.()
        })
        made.once('spawn', () => resolve())
        made.once('error', (error) => reject(notStarted(server, command, error)))
      }),

    send: (message) =>
      new Promise((resolve, reject) => {
        const stdin = child?.stdin
        if (!stdin?.writable) return reject(new Failure('network', `The MCP server ${server} is not there.`))
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      }),

    async close() {
      if (child === undefined) return
      child.stdin.end()
      const timer = setTimeout(kill, lingerMs)
      await ended
      clearTimeout(timer)
    },
  }
  return self
}

function gone(message: string, code: number | null): Failure {
  return new Failure('network', message, code === 127 ? { hint: 'Is everything it needs installed?' } : {})
}

function notStarted(server: string, command: string, error: Error & { code?: string }): Failure {
  const why = error.code === 'ENOENT' ? 'there is no such program' : error.message
  return new Failure('not-found', `The MCP server ${server} cannot be started: ${command}: ${why}`, {
    hint: 'Install it, or give its whole path.',
  })
}

/** The program and all that it has started. */
function endGroup(child: Program | undefined, { platform, kill }: Programs): void {
  if (child?.pid === undefined) return
  try {
    kill(platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // They have gone.
  }
}
