import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { plainFetch } from './plain-fetch.js'

let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/thing?a=1`
}

describe('a fetch for plain HTTP', () => {
  it('sends and receives what fetch does', async () => {
    const url = await serve(async (request, response) => {
      let body = ''
      for await (const part of request.setEncoding('utf8')) body += part
      const { method, url: path, headers } = request
      response.writeHead(body === '' ? 404 : 201, { 'x-one': ['a', 'b'], 'content-type': 'application/json' })
      response.end(JSON.stringify({ method, path, body, type: headers['content-type'], length: body.length }))
    })
    const seen = async (fetching: typeof fetch, init: RequestInit) => {
      const answer = await fetching(url, init)
      const { status, ok, statusText, headers } = answer
      return { status, ok, statusText, one: headers.get('x-one'), body: await answer.json() }
    }
    const headers = { 'Content-Type': 'application/json' }
    for (const init of [
      {},
      { method: 'POST', headers, body: '{"text":"Grüße"}' },
      { method: 'POST', headers: new Headers(headers), body: '{}' },
      { method: 'POST', headers: Object.entries(headers), body: 'x'.repeat(300_000) },
    ] as RequestInit[]) {
      expect(await seen(plainFetch, init)).toEqual(await seen(fetch, init))
    }
  })

  it('follows no redirect', async () => {
    const url = await serve((_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end())
    const { status, headers } = await plainFetch(url, { method: 'POST', body: '{}', redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/'])
  })

  it('stops with its signal, before the answer and in the middle of it, and closes the connection', async () => {
    let closed = 0
    const url = await serve((request, response) => {
      request.socket.once('close', () => closed++)
      if (request.method === 'POST') response.write('some')
    })
    const reason = new Error('enough')
    const early = new AbortController()
    const waiting = plainFetch(url, { signal: early.signal })
    setTimeout(() => early.abort(reason), 30)
    await expect(waiting).rejects.toBe(reason)
    await expect(plainFetch(url, { signal: early.signal })).rejects.toBe(reason)

    const late = new AbortController()
    const reader = (await plainFetch(url, { method: 'POST', signal: late.signal })).body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('some')
    late.abort(reason)
    await expect(reader.read()).rejects.toThrow()
    await expect.poll(() => closed).toBe(2)
  })

  it('closes the connection of a body that nobody wants', async () => {
    let closed = 0
    const url = await serve((request, response) => {
      request.socket.once('close', () => closed++)
      response.write('some')
    })
    await (await plainFetch(url)).body?.cancel()
    await expect.poll(() => closed).toBe(1)
  })

  it('takes a body as fast as it is read', async () => {
    let written = 0
    const piece = 'x'.repeat(100_000)
    const url = await serve((_request, response) => {
      const more = () => {
        while (written < 1000 && response.write(piece)) written++
        written++
        if (written < 1000) response.once('drain', more)
      }
      more()
    })
    const answer = await plainFetch(url)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(written).toBeLessThan(500)
    await answer.body?.cancel()
  })

  it('fails where the answer breaks off, and where nobody answers', async () => {
    const url = await serve((_request, response) => {
      response.write('some')
      setTimeout(() => response.destroy(), 20)
    })
    await expect((await plainFetch(url)).text()).rejects.toThrow()
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
    await expect(plainFetch(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('asks again on a new connection where the one it had kept was closed meanwhile', async () => {
    const sockets = new Set<Socket>()
    const url = await serve(({ socket }, response) => {
      if (sockets.has(socket)) return socket.resetAndDestroy()
      sockets.add(socket)
      return response.end('ok')
    })
    expect(await (await plainFetch(url)).text()).toBe('ok')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await (await plainFetch(url, { method: 'POST', body: '{}' })).text()).toBe('ok')
    expect(sockets.size).toBe(2)
  })
})
