import { type ChildProcess, spawn } from 'node:child_process'
import { program } from './cli-harness.js'

export interface McpAnswer {
  id?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind
  result?: any
  error?: { code: number; message: string }
}

/** The real program, spoken to by the lines that clients send. */
export interface McpProcess {
  child: ChildProcess
  request(method: string, params?: object): Promise<McpAnswer>
  call(name: string, input: object): Promise<McpAnswer>
  send(line: string): void
  /** Everything that came, in its order. */
  said: McpAnswer[]
  stderr(): string
  close(): Promise<number | null>
}

export async function startMcp(words: string[], env: Record<string, string>, name = 'test'): Promise<McpProcess> {
  const child = spawn(process.execPath, [program, 'mcp', ...words], { env })
  const waiting = new Map<unknown, (answer: McpAnswer) => void>()
  let [count, unfinished, errors] = [0, '', '']
  const made: McpProcess = {
    child,
    said: [],
    request(method, params = {}) {
      const id = ++count
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        made.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      })
    },
    call: (tool, input) => made.request('tools/call', { name: tool, arguments: input }),
    send: (line) => void child.stdin.write(`${line}\n`),
    stderr: () => errors,
    close() {
      child.stdin.end()
      return new Promise((resolve) => child.once('close', resolve))
    },
  }
  child.stdin.on('error', () => {})
  child.stderr.on('data', (chunk) => (errors += chunk))
  child.stdout.on('data', (chunk) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) {
      // Standard output is the protocol alone: anything else fails here.
      const answer = JSON.parse(line) as McpAnswer
      made.said.push(answer)
      waiting.get(answer.id)?.(answer)
    }
  })
  const clientInfo = { name, version: '1' }
  await made.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  made.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  return made
}
