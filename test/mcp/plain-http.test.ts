import { afterEach, describe, expect, it } from 'vitest'
import { connectWithoutSdk, httpTransportWithoutSdk } from '../../src/core/mcp/index.js'
import { type OddHttpServer, type OddHttpWay, oddHttpServer } from './odd-http-server.js'

let servers: OddHttpServer[] = []
afterEach(async () => {
  for (const server of servers) await server.close()
  servers = []
})

async function serverThat(way: OddHttpWay, elsewhere?: string): Promise<OddHttpServer> {
  const server = await oddHttpServer(way, elsewhere)
  servers.push(server)
  return server
}

const connect = ({ url }: OddHttpServer, headers = {}) =>
  connectWithoutSdk({
    name: 'odd',
    transport: httpTransportWithoutSdk({ server: 'odd', url, headers, fetch }),
    version: '1',
  })

const caller = () => ({ session: 's', signal: new AbortController().signal })

describe('a server at an address, used without the SDK', () => {
  it.each(['good', 'streams'] as const)('that is %s connects, lists tools, is called and disconnects', async (way) => {
    const server = await serverThat(way)
    const connection = await connect(server)
    expect(connection.tools.map(({ name }) => name)).toContain('echo')
    expect((await connection.call('echo', { text: 'hello' }, caller())).text).toContain('hello')
    await connection.close()
    // The request for the server's own messages (GET) runs in parallel.
    const asked = server.seen.map(({ method, http }) => method ?? http).filter((one) => one !== 'GET')
    expect(asked).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call', 'DELETE'])
    expect(server.seen.at(-1)?.headers['mcp-session-id']).toBe('session-1')
    expect(server.seen.find(({ method }) => method === 'tools/call')?.headers['mcp-protocol-version']).toBe(
      connection.protocol,
    )
  })

  it('gets its key, and reports what it needs without one', async () => {
    const server = await serverThat('wants-key')
    await expect(connect(server)).rejects.toThrow('requires a key')
    const connection = await connect(server, { Authorization: 'Bearer right-key' })
    expect(connection.tools).not.toEqual([])
    await connection.close()
  })

  it('is not followed to another address, so its headers are not sent there', async () => {
    const other = await serverThat('good')
    await expect(connect(await serverThat('redirects', other.url), { Authorization: 'Bearer k' })).rejects.toThrow(
      'not followed',
    )
    expect(other.seen).toEqual([])
  })

  it.each(['forgets', 'fails', 'flood', 'long-answer', 'long-event'] as const)(
    'that %s fails the call with a message, and does not hang',
    async (way) => {
      const connection = await connect(await serverThat(way))
      await expect(connection.call('echo', { text: 'x' }, caller())).rejects.toMatchObject({ name: 'Failure' })
      await connection.close()
    },
  )

  it('is notified of a stopped call, and then disconnected', async () => {
    const server = await serverThat('silent')
    const connection = await connect(server)
    const stop = new AbortController()
    const call = connection.call('echo', { text: 'x' }, { session: 's', signal: stop.signal })
    await expect.poll(() => server.seen.at(-1)?.method).toBe('tools/call')
    stop.abort(new Error('The user stopped it.'))
    await expect(call).rejects.toThrow('The user stopped it.')
    await expect.poll(() => server.left()).toBe(1)
    expect(server.seen.at(-1)?.method).toBe('notifications/cancelled')
    await connection.close()
  })

  it('that is unreachable fails to connect', async () => {
    const server = await serverThat('good')
    await server.close()
    await expect(connect(server)).rejects.toThrow('cannot be reached')
  })
})
