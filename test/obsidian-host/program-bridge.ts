import { type ChildProcess, spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'

/** A program started by a page. */
export interface StartedProgram {
  command: string
  args: string[]
  options: { env?: Record<string, string>; shell: boolean; detached: boolean }
  pid?: number
}

export interface ProgramBridge {
  started: StartedProgram[]
  /** False where the request is none of its own. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** Ends all that is left. */
  close(): void
}

interface Asked extends StartedProgram {
  page: string
  id: number
  text: string
  signal: 'SIGKILL'
}

/** Starts real programs for pages, as Node in the app does. What a page has started loses its pipes when the page goes. */
export function programBridge(): ProgramBridge {
  const started: StartedProgram[] = []
  const children: ChildProcess[] = []
  const pages = new Map<string, { tell: ServerResponse; own: ChildProcess[] }>()

  function openPage(page: string, response: ServerResponse): void {
    const own: ChildProcess[] = []
    pages.set(page, { tell: response, own })
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).flushHeaders()
    response.on('close', () => {
      for (const { stdio } of own) for (const pipe of stdio) pipe?.destroy()
    })
  }

  function start({ page, command, args, options }: Asked) {
    const { tell, own } = pages.get(page)!
    const child = spawn(command, args, { ...options, shell: false })
    const id = children.push(child) - 1
    own.push(child)
    started.push({ command, args, options, pid: child.pid })
    const say = (event: string, ...given: unknown[]) => tell.write(`${JSON.stringify({ id, event, given })}\n`)
    child.once('spawn', () => say('spawn'))
    child.once('error', ({ message, code }: NodeJS.ErrnoException) => say('error', { message, code }))
    child.once('exit', (code, signal) => say('exit', code, signal))
    child.once('close', () => say('close'))
    child.stdin?.on('error', ({ message }) => say('stdin-error', message))
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (bytes: Buffer) => {
        if (say(name, bytes.toString('base64'))) return
        child[name]?.pause()
        tell.once('drain', () => child[name]?.resume())
      })
    }
    return { id, pid: child.pid }
  }

  const calls: Record<string, (asked: Asked) => unknown> = {
    spawn: start,
    write: ({ id, text }) =>
      new Promise((resolve) => children[id].stdin?.write(text, (error) => resolve({ error: error?.message }))),
    end: ({ id }) => void children[id].stdin?.end(),
    destroy: ({ id }) => void children[id].stdout?.destroy(),
    kill({ pid, signal }) {
      try {
        return void process.kill(pid!, signal)
      } catch (error) {
        return { error: (error as Error).message }
      }
    },
  }

  return {
    started,
    handle(request, response) {
      const [, name, page] = /^\/node\/(\w+)(?:\?(.*))?$/.exec(request.url ?? '') ?? []
      if (name === undefined) return false
      if (name === 'events') openPage(page, response)
      else
        void json(request).then(async (asked) =>
          response.end(JSON.stringify((await calls[name](asked as Asked)) ?? {})),
        )
      return true
    },
    close() {
      for (const { pid, exitCode, signalCode } of children) {
        if (pid === undefined || exitCode !== null || signalCode !== null) continue
        try {
          process.kill(-pid, 'SIGKILL')
        } catch {
          // It has gone.
        }
      }
    },
  }
}
