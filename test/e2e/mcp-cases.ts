import { expect } from 'vitest'
import type { CaseChecks, Check } from '../security/security-case.js'
import { type Stage, stage } from './cli-harness.js'
import { type McpProcess, startMcp } from './mcp-client.js'

/** Harmful messages of a client that the real program must survive. */
export const mcpCases: CaseChecks = {
  M04: ({ action }) => {
    const megabytes = Number(/one (\d+) MiB/.exec(action)![1])
    const requests = Number(/batch of ([\d ]+) requests/.exec(action)![1].replace(' ', ''))
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    return [
      withServer('a line that is too long is an error, and the next request is answered', async (client) => {
        client.send(JSON.stringify({ ...ping(900), params: { x: 'a'.repeat(megabytes << 20) } }))
        await expect.poll(() => client.said.find(({ id }) => id === 900)?.error?.code).toBe(-32600)
        expect((await client.request('ping')).result).toEqual({})
      }),
      withServer('a batch is one error, not so many answers', async (client) => {
        client.send(JSON.stringify(Array.from({ length: requests }, (_, at) => ping(1000 + at))))
        await expect.poll(() => client.said.some(({ error }) => error !== undefined)).toBe(true)
        expect((await client.request('ping')).result).toEqual({})
        expect(client.said.length).toBeLessThan(10)
      }),
      withServer('a line that breaks off is an error, and the process lives', async (client) => {
        client.send('{"jsonrpc":"2.0","id":5,"meth')
        await expect.poll(() => client.said.some(({ error }) => error?.code === -32700)).toBe(true)
        expect((await client.request('ping')).result).toEqual({})
        expect(client.child.exitCode).toBeNull()
      }),
    ]
  },
}

function withServer(name: string, work: (client: McpProcess, on: Stage) => Promise<void>): Check {
  return {
    name,
    run: async () => {
      const on = await stage()
      const client = await startMcp(['--vault', on.vault], on.environment)
      await work(client, on)
      expect(await client.close()).toBe(0)
      await on.remove()
    },
  }
}
