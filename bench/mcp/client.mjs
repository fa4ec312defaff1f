// The smallest MCP client there can be, so that what is measured is the server.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Starts a server and shakes hands. `startMs` is from the start of the process to the answer. */
export async function startServer([program, ...args], env = process.env) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'ignore'], env })
  const waiting = new Map()
  let [count, unfinished, largest] = [0, '', 0]
  child.stdout.on('data', (chunk) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop()
    for (const line of lines) {
      const message = JSON.parse(line)
      largest = Math.max(largest, Buffer.byteLength(line))
      waiting.get(message.id)?.({ message, bytes: Buffer.byteLength(line) })
      waiting.delete(message.id)
    }
  })
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method, params = {}) => {
    const id = ++count
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      send({ id, method, params })
    })
  }
  const clientInfo = { name: 'bench', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  const startMs = performance.now() - startedAt
  send({ method: 'notifications/initialized' })
  return {
    startMs,
    request,
    async call(name, input) {
      const from = performance.now()
      const { message, bytes } = await request('tools/call', { name, arguments: input })
      const ms = performance.now() - from
      if (message.error || message.result.isError) throw new Error(`${name}: ${JSON.stringify(message).slice(0, 300)}`)
      return { ms, bytes }
    },
    largest: () => largest,
    /** Highest so far; Linux alone tells. */
    megabytes: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    kill() {
      child.stdin.on('error', () => {})
      child.kill('SIGKILL')
    },
    stop() {
      child.stdin.end()
      child.kill()
      return new Promise((resolve) => child.once('close', resolve))
    },
  }
}
