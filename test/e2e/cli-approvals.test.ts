import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Stage, stage } from './cli-harness.js'
import { createKey, type Serving, serving } from './serving.js'

/** The messages that a client of `/mcp` receives for one request, from the lines of its stream. */
type Message = { id?: number; method?: string; result?: { isError?: boolean; content: { text: string }[] } }

describe('a client of /mcp that says it shows forms', () => {
  let place: Stage
  let served: Serving
  beforeAll(async () => {
    place = await stage()
    served = await serving(place, [], {}, ['--approvals', 'ask'])
  })
  afterAll(async () => {
    await served.stop('SIGKILL')
    await place.remove()
  })

  async function session(key = served.key) {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    const post = (body: object, signal?: AbortSignal) =>
      fetch(`${served.url}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }), signal })
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo }
    const hello = await post({ id: 1, method: 'initialize', params })
    headers['Mcp-Session-Id'] = hello.headers.get('mcp-session-id') ?? ''
    await hello.text()
    await (await post({ method: 'notifications/initialized' })).text()
    return {
      headers,
      call: async (name: string, input: object, signal?: AbortSignal): Promise<Message[]> => {
        const answer = await post({ id: 2, method: 'tools/call', params: { name, arguments: input } }, signal)
        return messagesIn(await answer.text())
      },
    }
  }

  /** The id of the one request that waits, as a second terminal lists it. */
  const waiting = () =>
    vi.waitFor(
      async () => {
        const { value } = await place.json('approvals', 'list')
        expect(value).toHaveLength(1)
        return (value as unknown as { id: string }[])[0].id
      },
      { timeout: 20_000 },
    )

  it('cannot approve its own deletion; a second terminal decides', async () => {
    const { call } = await session()
    const denied = call('delete_note', { path: 'Garden/Beans.md' })
    expect((await place.run(['approvals', 'deny', await waiting(), '--vault', place.vault])).code).toBe(0)
    expect((await denied).at(-1)?.result?.isError).toBe(true)
    expect(await place.read('Garden/Beans.md')).toContain('nitrogen')

    const allowed = call('delete_note', { path: 'Garden/Beans.md' })
    expect((await place.run(['approvals', 'allow', await waiting(), '--vault', place.vault])).code).toBe(0)
    const messages = await allowed
    expect(messages.at(-1)?.result?.isError).toBeUndefined()
    expect(messages.filter(({ method }) => method === 'elicitation/create')).toEqual([])
    await expect(place.read('Garden/Beans.md')).rejects.toThrow()
  }, 40_000)

  it('cannot use the session of another key', async () => {
    const { headers } = await session()
    const Authorization = `Bearer ${await createKey(place, ['--approvals', 'auto'])}`
    const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} })
    const answer = await fetch(`${served.url}/mcp`, { method: 'POST', headers: { ...headers, Authorization }, body })
    expect(answer.status).toBe(404)
  })

  it('loses its waiting requests when its key is revoked', async () => {
    const key = await createKey(place, ['--approvals', 'ask'])
    const { value } = await place.json('serve', 'keys', 'list')
    const { name } = (value as unknown as { name: string }[]).at(-1)!
    const { call } = await session(key)
    const cut = call('delete_note', { path: 'Home.md' }).catch(() => [])
    await waiting()
    await place.run(['serve', 'keys', 'revoke', name])
    await vi.waitFor(async () => expect((await place.json('approvals', 'list')).value).toEqual([]), { timeout: 20_000 })
    await cut
  }, 40_000)
})

const messagesIn = (text: string): Message[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))
