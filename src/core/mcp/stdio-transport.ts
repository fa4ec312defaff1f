import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import type { ServerTransport } from './connection.js'
import { type MessageLimits, messageMeter } from './message-limits.js'

export interface StdioLaunch {
  server: string
  command: string
  args: readonly string[]
  environment: Record<string, string>
  /** The working directory; our own by default. */
  cwd?: string
  /** Called with each line of its standard error. */
  onLine?: (line: string) => void
  limits?: MessageLimits
}

/** How long the server may take to exit after its input was closed. */
const maxShutdownMs = 1000

type SentMessage = Parameters<ServerTransport['send']>[0]

/** A server as a child process that exchanges JSON lines. It is started without a shell and ends with this process. */
export function stdioTransport(launch: StdioLaunch, programs: Programs): ServerTransport {
  const { server, command, args, environment, cwd, onLine } = launch
  let child: Program | undefined
  let ended: Promise<void> = Promise.resolve()
  let lastLine = ''
  let isEnded = false
  const kill = () => killGroup(child, programs)

  /** Only the first failure is reported: the ones after it come from killing the process. */
  function fail(failure: Failure): void {
    if (!isEnded) self.onerror?.(failure)
    isEnded = true
    kill()
  }

  function readErrorOutput(bytes: Uint8Array): void {
    for (const line of new TextDecoder().decode(bytes).slice(0, 10_000).split('\n')) {
      if (line.trim() === '') continue
      lastLine = line.trim().slice(0, 300)
      onLine?.(line.slice(0, 2000))
    }
  }

  /** Resolves when all its output was read. */
  function attach(program: Program): Promise<void> {
    const read = messageReader(server, (message) => self.onmessage?.(message as SentMessage), launch.limits)
    program.stdout.on('data', (bytes) => {
      try {
        read(bytes)
      } catch (error) {
        program.stdout.removeAllListeners('data')
        program.stdout.resume()
        fail(error as Failure)
      }
    })
    program.stderr.on('data', readErrorOutput)
    // A write to a process that has just exited fails; the exit itself is reported.
    program.stdin.on('error', () => {})
    return new Promise((resolveEnd) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const onOver = () => {
        clearTimeout(timer)
        resolveEnd()
      }
      program.once('close', onOver)
      program.once('error', onOver)
      program.once('exit', (code, signal) => {
        const how = signal ?? `exit code ${code}`
        fail(endedFailure(`The MCP server ${server} exited (${how})${lastLine ? `: ${lastLine}` : '.'}`, code))
        // Its own child processes may keep the pipes open.
        timer = setTimeout(() => program.stdout.destroy(), maxShutdownMs)
      })
    })
  }

  const self: ServerTransport = {
    start: () =>
      new Promise((resolve, reject) => {
        // In a process group of its own: launchers such as npx and uvx are killed together with the server.
        const program = programs.spawn(command, [...args], {
          env: environment,
          ...(cwd !== undefined && { cwd }),
          stdio: 'pipe',
          detached: programs.platform !== 'win32',
          shell: false,
          windowsHide: true,
        })
        child = program
        const cancelKill = program.pid === undefined ? () => {} : killGroupOnParentExit(program.pid, programs)
        const stopListening = programs.onExit(kill)
        ended = attach(program)
        void ended.then(() => {
          stopListening()
          cancelKill()
          self.onclose?.()
        })
        program.once('spawn', () => resolve())
        program.once('error', (error) => reject(startFailure(server, command, error)))
      }),

    send: (message) =>
      new Promise((resolve, reject) => {
        const stdin = child?.stdin
        if (!stdin?.writable) return reject(new Failure('network', `The MCP server ${server} is not running.`))
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      }),

    async close() {
      if (child === undefined) return
      child.stdin.end()
      const timer = setTimeout(kill, maxShutdownMs)
      await ended
      clearTimeout(timer)
    },
  }
  return self
}

function endedFailure(message: string, code: number | null): Failure {
  return new Failure('network', message, code === 127 ? { hint: 'Check that everything it needs is installed.' } : {})
}

function startFailure(server: string, command: string, error: Error & { code?: string }): Failure {
  const why = error.code === 'ENOENT' ? 'the program was not found' : error.message
  return new Failure('not-found', `The MCP server ${server} cannot be started: ${command}: ${why}`, {
    hint: 'Install it, or use its full path.',
  })
}

/** Kills the program and its child processes. */
function killGroup(child: Program | undefined, { platform, kill }: Programs): void {
  if (child?.pid === undefined) return
  try {
    kill(platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // They have already exited.
  }
}

type Message = Record<string, unknown> & { jsonrpc: '2.0' }

/** Splits the output of a server into messages. Throws when it writes too much. */
function messageReader(
  server: string,
  onMessage: (message: Message) => void,
  limits?: MessageLimits,
): (bytes: Uint8Array) => void {
  const meter = messageMeter(server, limits)
  const decoder = new TextDecoder()
  let rest: string[] = []
  let length = 0

  function takeLine(line: string): void {
    if (line.trim() === '') return
    const message = parseMessage(line)
    if (message === undefined || 'method' in message) meter.countUnasked()
    if (message !== undefined) onMessage(message)
  }

  return (bytes) => {
    const [first = '', ...more] = decoder.decode(bytes, { stream: true }).split('\n')
    rest.push(first)
    length += first.length
    for (const start of more) {
      const line = rest.join('')
      ;[rest, length] = [[start], start.length]
      meter.checkLength(line.length)
      takeLine(line)
    }
    meter.checkLength(length)
  }
}

/** Undefined for lines that are no messages: many servers print a greeting to standard output. */
function parseMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) && value.jsonrpc === '2.0' ? (value as Message) : undefined
  } catch {
    // Not JSON, e.g. a greeting.
    return undefined
  }
}

/**
 * Kills a process group when this process exits, even by SIGKILL: a shell waits for the end of a pipe that only this
 * process holds open. Returns a function that cancels it.
 */
function killGroupOnParentExit(group: number, { platform, spawn }: Programs): () => void {
  if (platform === 'win32') return () => {}
  // A server that notices the end of its input has a second to exit on its own.
  const script = 'read -r _; sleep 1; kill -s KILL -- "-$0"'
  const watcher = spawn('/bin/sh', ['-c', script, String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    shell: false,
    windowsHide: true,
  })
  watcher.once('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.unref()
  // In Node a pipe to a child is a socket with `unref`, which the types do not have.
  ;(watcher.stdin as { unref?: () => void }).unref?.()
  return () => void watcher.kill('SIGKILL')
}

/** Starts programs: the part of Node's `child_process` and `process` that servers need. Hosts with Node implement it. */
export interface Programs {
  platform: string
  /** Starts a program without a shell: arguments are passed unchanged. */
  spawn: (command: string, args: string[], options: SpawnOptions) => Program
  /** A negative number is a process group. */
  kill: (pid: number, signal: 'SIGKILL') => void
  /** Calls `end` when this process exits, as far as exits are reported. Returns a function that cancels it. */
  onExit: (end: () => void) => () => void
}

interface SpawnOptions {
  env?: Record<string, string>
  /** The working directory; our own by default. */
  cwd?: string
  stdio: 'pipe' | ['pipe', 'ignore', 'ignore']
  detached: boolean
  shell: false
  windowsHide: true
}

/** A started program, with Node's interface. */
interface Program {
  pid?: number | undefined
  stdin: ProgramInput
  stdout: ProgramOutput
  stderr: ProgramOutput
  once: Once
  kill: (signal: 'SIGKILL') => unknown
  unref: () => void
}

interface Once {
  (event: 'spawn' | 'close', listener: () => void): unknown
  (event: 'error', listener: (error: Error & { code?: string }) => void): unknown
  (event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown
}

interface ProgramInput {
  readonly writable: boolean
  write: (text: string, done: (error?: Error | null) => void) => unknown
  end: () => unknown
  on: (event: 'error', listener: (error: Error) => void) => unknown
}

interface ProgramOutput {
  on: (event: 'data', listener: (bytes: Uint8Array) => void) => unknown
  removeAllListeners: (event: 'data') => unknown
  /** Discards further output. */
  resume: () => unknown
  destroy: () => unknown
}
