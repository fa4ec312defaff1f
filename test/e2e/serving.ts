import { type ChildProcess, spawn } from 'node:child_process'
import { program, type Stage } from './cli-harness.js'

/** `notewright serve` as a user starts it, ready to be asked. */
export interface Serving {
  url: string
  /** The secret of an access key that was created for it. */
  key: string
  child: ChildProcess
  /** Its output on standard error so far. */
  messages(): string
  /** One request with the key. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Interrupts it, and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Words for `serve keys create`, besides the name. */
const usualKey = ['--approvals', 'locked']

let created = 0

export async function createKey(stage: Stage, words = usualKey): Promise<string> {
  const name = `test-${++created}`
  const ran = await stage.run(['serve', 'keys', 'create', name, ...words, '--vault', stage.vault])
  if (ran.code !== 0) throw new Error(ran.stderr)
  return ran.stdout.trim()
}

export async function serving(
  stage: Stage,
  words: string[] = [],
  environment: object = {},
  keyWords = usualKey,
  /** The key of an earlier start: a client with another one does not find its responses. */
  earlierKey?: string,
): Promise<Serving> {
  const key = earlierKey ?? (await createKey(stage, keyWords))
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
  const { url } = JSON.parse(line)
  return {
    url,
    key,
    child,
    messages: () => messages,
    ask: (path, init = {}) =>
      fetch(url + path, {
        ...init,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers },
      }),
    stop(signal = 'SIGINT') {
      child.kill(signal)
      return exited
    },
  }
}
