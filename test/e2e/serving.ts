import { type ChildProcess, spawn } from 'node:child_process'
import { program, type Stage } from './cli-harness.js'

/** `notewright serve` as a person starts it, ready to be asked. */
export interface Serving {
  url: string
  token: string
  child: ChildProcess
  /** What it has said on standard error. */
  messages(): string
  /** One request with the token. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Interrupts it, and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export async function serving(stage: Stage, words: string[] = [], environment: object = {}): Promise<Serving> {
  const all = ['serve', '--port', '0', '--json', '--vault', stage.vault, ...words]
  const child = spawn(process.execPath, [program, ...all], { env: { ...stage.environment, ...environment } })
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages += text
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${messages}`)))
  })
  const { url, token } = JSON.parse(line)
  return {
    url,
    token,
    child,
    messages: () => messages,
    ask: (path, init = {}) =>
      fetch(url + path, {
        ...init,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers },
      }),
    stop(signal = 'SIGINT') {
      child.kill(signal)
      return exited
    },
  }
}
