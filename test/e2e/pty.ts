import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** Why there is no pseudo-terminal here; undefined where there is one. */
export const noPty: string | undefined =
  process.platform === 'win32' || spawnSync('python3', ['-c', 'import pty']).status !== 0
    ? 'needs python3 with its pty module'
    : undefined

export interface PtyProgram {
  send(keys: string): void
  /** Waits until the screen has shown this since the last wait. */
  sees(what: string | RegExp, limitMs?: number): Promise<string>
  /** Everything it has shown, with escape sequences taken out. */
  shown(): string
  raw(): string
  exit(): Promise<number | null>
  kill(): void
}

/** Runs a program at a terminal of 80 columns and 30 rows. */
export function atTerminal(command: string[], env: Record<string, string>): PtyProgram {
  const child: ChildProcess = spawn('python3', ['-c', relay, ...command], { env: { TERM: 'xterm-256color', ...env } })
  let raw = ''
  let seen = 0
  let ended: number | null | undefined
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of [...waiting]) check()
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    raw += text
    wake()
  })
  child.once('close', (code) => {
    ended = code
    wake()
  })
  const place = (what: string | RegExp) => {
    const found = typeof what === 'string' ? plain(raw.slice(seen)).includes(what) : what.test(plain(raw.slice(seen)))
    return found
  }
  return {
    send: (keys) => void child.stdin?.write(keys),
    sees: (what, limitMs = 30_000) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!place(what) && ended === undefined) return
          waiting.delete(check)
          clearTimeout(limit)
          const shown = plain(raw.slice(seen))
          seen = raw.length
          if (typeof what === 'string' ? shown.includes(what) : what.test(shown)) resolve(shown)
          else reject(new Error(`It ended without ${what}:\n${shown}`))
        }
        const limit = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`It did not show ${what}, but:\n${plain(raw.slice(seen))}`))
        }, limitMs)
        waiting.add(check)
        check()
      }),
    shown: () => plain(raw),
    raw: () => raw,
    async exit() {
      if (ended === undefined) await once(child, 'close')
      return ended ?? null
    },
    kill: () => void child.kill(),
  }
}

const plain = (text: string): string => text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '').replace(/\r/g, '')

const relay = `
import fcntl, os, pty, select, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 80, 0, 0))
sources = [terminal, 0]
while True:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b''
        if source == terminal:
            if not data:
                sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            os.write(1, data)
        elif data:
            os.write(terminal, data)
        else:
            sources.remove(0)
`
