import { fromBase64 } from './disk.js'

/** `window.require` of a desktop: the part of Node that the plugin uses, over programs that really run. */
export async function desktopRequire(environment: Record<string, string>): Promise<(name: string) => unknown> {
  const { body } = await fetch(`/node/events?${page}`)
  void hear(body!)
  const modules: Record<string, unknown> = {
    child_process: { spawn },
    process: { platform: 'linux', env: environment, kill },
  }
  return (name) => {
    if (name in modules) return modules[name]
    throw new Error(`Cannot find module '${name}'`)
  }
}

const page = crypto.randomUUID()
const children = new Map<number, Child>()

type Listener = (...given: never[]) => void

class Emitter {
  #listeners: { event: string; listener: Listener; isOnce: boolean }[] = []
  on(event: string, listener: Listener): this {
    this.#listeners.push({ event, listener, isOnce: false })
    return this
  }
  once(event: string, listener: Listener): this {
    this.#listeners.push({ event, listener, isOnce: true })
    return this
  }
  removeAllListeners(event: string): this {
    this.#listeners = this.#listeners.filter((one) => one.event !== event)
    return this
  }
  emit(event: string, ...given: unknown[]): void {
    const called = this.#listeners.filter((one) => one.event === event)
    this.#listeners = this.#listeners.filter((one) => !(one.event === event && one.isOnce))
    for (const { listener } of called) listener(...(given as never[]))
  }
}

class Pipe extends Emitter {
  writable = true
  #writing: Promise<unknown> = Promise.resolve()
  constructor(readonly id: number) {
    super()
  }
  write(text: string, done: (error?: Error) => void): boolean {
    this.#writing = this.#writing
      .then(() => ask('write', { id: this.id, text }))
      .then(({ error }) => done(error === undefined ? undefined : new Error(error)))
    return true
  }
  end(): void {
    this.writable = false
    this.#writing = this.#writing.then(() => ask('end', { id: this.id }))
  }
  resume(): this {
    return this
  }
  destroy(): void {
    void ask('destroy', { id: this.id })
  }
}

class Child extends Emitter {
  readonly stdin: Pipe
  readonly stdout: Pipe
  readonly stderr: Pipe
  constructor(
    id: number,
    readonly pid?: number,
  ) {
    super()
    this.stdin = new Pipe(id)
    this.stdout = new Pipe(id)
    this.stderr = new Pipe(id)
  }
  kill(signal: string): void {
    if (this.pid !== undefined) kill(this.pid, signal)
  }
  unref(): void {}
}

function spawn(command: string, args: string[], options: unknown): Child {
  const { id, pid } = askNow('spawn', { command, args, options })
  const child = new Child(id!, pid)
  children.set(id!, child)
  return child
}

function kill(pid: number, signal: string): void {
  const { error } = askNow('kill', { pid, signal })
  if (error !== undefined) throw new Error(error)
}

interface Answer {
  id?: number
  pid?: number
  error?: string
}

async function ask(name: string, given: object): Promise<Answer> {
  return (await fetch(`/node/${name}`, { method: 'POST', body: JSON.stringify({ page, ...given }) })).json()
}

/** Node answers these at once. */
function askNow(name: string, given: object): Answer {
  const request = new XMLHttpRequest()
  request.open('POST', `/node/${name}`, false)
  request.send(JSON.stringify({ page, ...given }))
  return JSON.parse(request.responseText)
}

/** Reads events of the programs in order. */
async function hear(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const [first, ...more] = value.split('\n')
    rest.push(first)
    for (const start of more) {
      tell(JSON.parse(rest.join('')))
      rest = [start]
    }
  }
}

function tell({ id, event, given }: { id: number; event: string; given: unknown[] }): void {
  const child = children.get(id)
  if (child === undefined) return
  if (event === 'stdout' || event === 'stderr') child[event].emit('data', fromBase64(String(given[0])))
  else if (event === 'stdin-error') child.stdin.emit('error', new Error(String(given[0])))
  else if (event === 'error') {
    const { message, code } = given[0] as { message: string; code?: string }
    child.emit('error', Object.assign(new Error(message), { code }))
  } else {
    if (event === 'exit') child.stdin.writable = false
    child.emit(event, ...given)
  }
}
