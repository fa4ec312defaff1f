import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openModel } from '../../core/providers/index.js'
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
      else early.abort(reason)
    })
    const reason = new Error('enough')
    const early = new AbortController()
    const waiting = plainFetch(url, { signal: early.signal })
    await expect(waiting).rejects.toBe(reason)
    await expect(plainFetch(url, { signal: early.signal })).rejects.toBe(reason)

    const late = new AbortController()
    const reader = (await plainFetch(url, { method: 'POST', signal: late.signal })).body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('some')
    late.abort(reason)
    await expect(reader.read()).rejects.toThrow()
    await expect.poll(() => closed).toBe(2)
  })

  it('closes the connection of an unused body', async () => {
    let closed = 0
    const url = await serve((request, response) => {
      request.socket.once('close', () => closed++)
      response.write('some')
    })
    await (await plainFetch(url)).body?.cancel()
    await expect.poll(() => closed).toBe(1)
  })

  it('lets a reader stop at any piece of an answer that has fully arrived', async () => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => uncaught.push(error)
    process.on('uncaughtException', note)
    try {
      const url = await serve((_request, response) => {
        response.write('some')
        response.end(' more')
      })
      for (const pieces of [0, 1, 2]) {
        for (let round = 0; round < 5; round++) {
          const reader = (await plainFetch(url)).body!.getReader()
          for (let read = 0; read < pieces; read++) await reader.read()
          await reader.cancel()
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
    } finally {
      process.off('uncaughtException', note)
    }
    expect(uncaught).toEqual([])
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

  it('fails where the response is cut off, and where no server answers', async () => {
    const url = await serve((_request, response) => {
      response.write('some')
      setTimeout(() => response.destroy(), 20)
    })
    await expect((await plainFetch(url)).text()).rejects.toThrow()
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
    await expect(plainFetch(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('sends again on a new connection where the reused one was closed, and reports each request that was sent', async () => {
    const sockets = new Set<Socket>()
    let received = 0
    const url = await serve(async (request, response) => {
      for await (const _ of request);
      received++
      const { socket } = request
      if (sockets.has(socket)) return void socket.resetAndDestroy()
      sockets.add(socket)
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ok' } }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ id: 'r', object: 'chat.completion', created: 1, model: 'm', choices }))
    })
    const announced: string[] = []
    const { model } = await openModel('compatible/m', {
      environment: { NOTEWRIGHT_COMPATIBLE_URL: new URL('/v1', url).href },
      fetch: plainFetch,
      onRequest: async ({ sha256 }) => void announced.push(sha256),
    })
    const ask = async (text: string) => {
      const { content } = await model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] })
      expect(content).toMatchObject([{ type: 'text', text: 'ok' }])
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await ask('first')
    await ask('second')
    expect([received, sockets.size]).toEqual([3, 2])
    expect(announced).toHaveLength(3)
    expect(announced[1]).toBe(announced[2])
  })
})
