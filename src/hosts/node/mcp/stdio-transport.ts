import { type ChildProcess, spawn } from 'node:child_process'
import { Failure } from '../../../core/errors.js'
import type { MessageLimits, ServerTransport } from '../../../core/mcp/index.js'
import { endWithUs } from './end-with-us.js'
import { messageReader } from './read-messages.js'

export interface StdioLaunch {
  server: string
  command: string
  args: readonly string[]
  environment: Record<string, string>
  /** Lines of its standard error. */
  onLine?(line: string): void
  limits?: MessageLimits
}

/** How long it may take to end by itself when its input has. */
const lingerMs = 1000

type SentMessage = Parameters<ServerTransport['send']>[0]

/** A server as a child process that speaks in lines. No shell reads its arguments, and it ends with us. */
export function stdioTransport(launch: StdioLaunch): ServerTransport {
  const { server, command, args, environment, onLine } = launch
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  let lastLine = ''
  let isEnded = false
  const kill = () => endGroup(child)

  /** The first reason counts: what follows is only that we have ended it. */
  function fail(failure: Failure): void {
    if (!isEnded) self.onerror?.(failure)
    isEnded = true
    kill()
  }

  function hearErrors(bytes: Buffer): void {
    for (const line of bytes.toString('utf8').slice(0, 10_000).split('\n')) {
      if (line.trim() === '') continue
      lastLine = line.trim().slice(0, 300)
      onLine?.(line.slice(0, 2000))
    }
  }

  const self: ServerTransport = {
    start: () =>
      new Promise((resolve, reject) => {
        // In a group of its own: programs that start the real server (npx, uvx) are ended together with it.
        const made = spawn(command, [...args], { env: environment, stdio: 'pipe', detached: true, shell: false })
        child = made
        const callOff = made.pid === undefined ? () => {} : endWithUs(made.pid)
        const read = messageReader(server, (message) => self.onmessage?.(message as SentMessage), launch.limits)
        made.stdout.on('data', (bytes: Buffer) => {
          try {
            read(bytes)
          } catch (error) {
            made.stdout.removeAllListeners('data').resume()
            fail(error as Failure)
          }
        })
        made.stderr.on('data', hearErrors)
        // What is written to one that has just gone.
        made.stdin.on('error', () => {})
        process.once('exit', kill)
        ended = new Promise((tell) => {
          made.once('close', tell)
          made.once('error', () => tell())
        })
        made.once('exit', (code, signal) => {
          const how = signal ?? `exit code ${code}`
          // What it has started may hold its pipes open.
          fail(gone(`The MCP server ${server} ended (${how})${lastLine ? `: ${lastLine}` : '.'}`, code))
          setTimeout(() => made.stdout.destroy(), lingerMs).unref()
        })
        ended.then(() => {
          process.off('exit', kill)
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
      child.stdin?.end()
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

function notStarted(server: string, command: string, error: NodeJS.ErrnoException): Failure {
  const why = error.code === 'ENOENT' ? 'there is no such program' : error.message
  return new Failure('not-found', `The MCP server ${server} cannot be started: ${command}: ${why}`, {
    hint: 'Install it, or give its whole path.',
  })
}

/** The program and all that it has started. */
function endGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // They have gone.
  }
}
