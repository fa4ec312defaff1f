import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { lineReader } from './line-reader.js'

export interface Launch {
  command: string
  arguments: readonly string[]
  environment: Record<string, string>
  /** How long it may take to say that it is there. */
  startMs?: number
}

/** A child that speaks in lines. It ends with us, at the latest when its input does. */
export interface CodexProcess {
  write(line: string): void
  kill(): void
  /** Until it is let go, our own process waits for it; one in the background does not keep us from ending. */
  hold(): () => void
  /** The last line it wrote to its error output, for a message about its end. */
  lastWords(): string
}

export interface ProcessEvents {
  onLine(line: string): void
  /** Once: why there will be no more lines. */
  onEnd(why: string): void
}

export function startProcess({ command, arguments: words, environment }: Launch, events: ProcessEvents): CodexProcess {
  const child = spawn(command, [...words], { env: environment, stdio: 'pipe' })
  const parts = [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket]
  let holds = 0
  let tail = ''
  let isOver = false

  const kill = () => {
    child.kill()
  }

  function end(why: string): void {
    if (isOver) return
    isOver = true
    process.off('exit', kill)
    events.onEnd(why)
  }

  function lastWords(): string {
    // Without the colours of a terminal.
    const lines = tail.replace(/\x1b\[[\d;]*m/g, '').split('\n')
    const last = lines.filter((line) => line.trim() !== '').at(-1)
    return last === undefined ? '.' : `: ${last.trim().slice(0, 300)}`
  }

  process.once('exit', kill)
  // What is written to a process that has just gone.
  child.stdin.on('error', () => {})
  child.stderr.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString('utf8')).slice(-2000)
  })
  const read = lineReader(events.onLine)
  child.stdout.on('data', (bytes: Buffer) => {
    try {
      read(bytes)
    } catch (error) {
      end(`Codex sent something that cannot be read: ${(error as Error).message}`)
      kill()
    }
  })
  child.once('error', (error) => end(`Codex could not be started: ${error.message}`))
  child.once('close', (code, signal) =>
    end(`Codex ended unexpectedly (${signal ?? `exit code ${code}`})${lastWords()}`),
  )

  return {
    write: (line) => void child.stdin.write(line),
    kill,
    lastWords,
    hold() {
      if (holds++ === 0) for (const part of parts) part.ref()
      let isHeld = true
      return () => {
        if (isHeld && --holds === 0) for (const part of parts) part.unref()
        isHeld = false
      }
    },
  }
}
