import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { refusal } from './api-error.js'
import type { Limits } from './limits.js'
import type { Mount, RequestHead } from './mount.js'
import { type RunningServer, startServer } from './start-server.js'

const token = 'nw-a-token-for-tests'
const authorize = (head: RequestHead) =>
  head.one('authorization') === `Bearer ${token}`
    ? undefined
    : refusal({ status: 401, code: 'invalid_api_key', message: 'This access key is unknown.' })
const running: RunningServer[] = []

afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

interface Probe extends Mount {
  bodies: unknown[]
  release(): void
}

/** A mount that records the bodies it receives. */
function probe(more: Partial<Mount> = {}): Probe {
  const bodies: unknown[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    path: '/v1',
    bodies,
    release: () => release(),
    addRoutes(routes) {
      routes.get('/thing', (c) => c.json({ ok: true }))
      routes.get('/waits', async (c) => {
        await released
        return c.text('at last')
      })
      routes.post('/thing', (c) => {
        bodies.push(c.get('body'))
        return c.json({ got: c.get('body') ?? null })
      })
      routes.get('/bug', () => {
        throw new Error('the secret is 42')
      })
    },
    ...more,
  }
}

async function start(mount: Mount = probe(), limits: Partial<Limits> = {}): Promise<RunningServer> {
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    authorize,
    mounts: [mount],
    origins: ['app://obsidian.md'],
    limits: { shutdownMs: 200, ...limits },
  })
  running.push(server)
  return server
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  error?: { type: string; code: string; message: string; param: string | null }
}

/** One request with exactly these headers. */
function ask(
  { port }: RunningServer,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers }
    const defined = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers: defined, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const error = text.startsWith('{"error"') ? JSON.parse(text).error : undefined
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, error })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends raw text and returns everything received until the server closes. */
function raw({ port }: RunningServer, text: string, more?: (write: (text: string) => void) => void): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      more?.((part) => socket.write(part))
    })
    socket.on('data', (part) => {
      answer += part
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

describe('the request check of the server', () => {
  it('accepts the access key under every name of this machine', async () => {
    const server = await start()
    const names = [`127.0.0.1:${server.port}`, `localhost:${server.port}`, `LOCALHOST:${server.port}`]
    for (const host of names)
      expect(await ask(server, '/v1/thing', { headers: { host } })).toMatchObject({ status: 200 })
  })

  it.each([
    'evil.test:$P',
    '127.0.0.1.evil.test:$P',
    'LOCALHOST:$P.',
    'localhost.:$P',
    'localhost',
    '127.0.0.1:1',
    'user@127.0.0.1:$P',
    '127.0.0.2:$P',
    '0x7f000001:$P',
    '[::ffff:127.0.0.1]:$P',
  ])('answers 403 to the host %s before it reads a body', async (name) => {
    const mount = probe()
    const server = await start(mount)
    const host = name.replace('$P', String(server.port))
    const answer = await ask(server, '/v1/thing', { method: 'POST', headers: { host }, body: '{}' })
    expect(answer).toMatchObject({ status: 403, error: { code: 'host_not_allowed', type: 'invalid_request_error' } })
    expect(mount.bodies).toEqual([])
  })

  it('answers 403 to two Host headers and to a forwarded host that is not ours', async () => {
    const server = await start()
    const two = `GET /v1/thing HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nHost: evil.test\r\nConnection: close\r\n\r\n`
    expect(await raw(server, two)).toMatch(/^HTTP\/1\.1 (400|403) /)
    expect(await ask(server, '/v1/thing', { headers: { 'x-forwarded-host': 'evil.test' } })).toMatchObject({
      status: 403,
    })
  })

  it.each(['https://evil.test', 'null', 'http://localhost.evil.test', 'http://127.0.0.1:1', 'app://evil'])(
    'answers 403 to the origin %s, also when it only asks beforehand, and never names it',
    async (origin) => {
      const server = await start()
      const preflight = { origin, 'access-control-request-method': 'POST', authorization: undefined }
      for (const [method, headers] of [
        ['GET', { origin }],
        ['OPTIONS', preflight],
      ] as const) {
        const answer = await ask(server, '/v1/thing', { method, headers })
        expect(answer).toMatchObject({ status: 403, error: { code: 'origin_not_allowed' } })
        expect(JSON.stringify(answer.headers)).not.toContain('access-control')
      }
    },
  )

  it('accepts an app whose origin is in the settings, with the access key', async () => {
    const server = await start()
    const origin = 'app://obsidian.md'
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const preflight = await ask(server, '/v1/thing', {
      method: 'OPTIONS',
      headers: { ...asked, authorization: undefined },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe(origin)
    expect(await ask(server, '/v1/thing', { headers: { origin } })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin },
    })
    expect(await ask(server, '/v1/thing', { headers: { origin, authorization: undefined } })).toMatchObject({
      status: 401,
    })
  })

  it.each([
    [undefined],
    ['Bearer'],
    ['Bearer '],
    [`bearer ${token}`],
    [`Bearer  ${token}`],
    [`Basic ${token}`],
    [`Bearer ${token.replace('a', 'b')}`],
    [`Bearer ${token}x`],
  ])('answers 401 to the authorization %s', async (authorization) => {
    const server = await start()
    for (const path of ['/v1/thing', '/v1/none', '/', `/v1/thing?token=${token}&api_key=${token}`]) {
      const headers = { authorization, cookie: `token=${token}`, 'x-api-key': token }
      expect(await ask(server, path, { headers })).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        error: { code: 'invalid_api_key' },
      })
    }
  })

  it('answers the health check with nothing but ok', async () => {
    const server = await start()
    const answer = await ask(server, '/health', { headers: { authorization: undefined } })
    expect(answer).toMatchObject({ status: 200, text: 'ok' })
    expect(await ask(server, '/health', { headers: { host: 'evil.test' } })).toMatchObject({ status: 403 })
  })

  it.each([
    ['an answer', '/v1/thing', {}, 200],
    ['nothing there', '/v1/none', {}, 404],
    ['a bug', '/v1/bug', {}, 500],
    ['a foreign host', '/v1/thing', { host: 'evil.test' }, 403],
    ['a foreign origin', '/v1/thing', { origin: 'https://evil.test' }, 403],
    ['no token', '/v1/thing', { authorization: undefined }, 401],
    ['no request of HTTP', '/v1/thing', { 'content-length': 'x' }, 400],
  ])('forbids caching, sniffing and embedding of every response: %s', async (_, path, headers, status) => {
    const server = await start()
    expect(await ask(server, path, { headers })).toMatchObject({
      status,
      headers: {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      },
    })
  })

  it('uses the login of a mount, only below its path', async () => {
    const mount = probe({
      checkLogin: ({ one }) => one('x-page') === '1' || refusal({ status: 401, code: 'no', message: 'No.' }),
    })
    const server = await start(mount)
    const headers = { authorization: undefined, 'x-page': '1' }
    expect(await ask(server, '/v1/thing', { headers })).toMatchObject({ status: 200 })
    expect(await ask(server, '/v10/thing', { headers })).toMatchObject({ status: 401 })
    expect(await ask(server, '/v1/thing', { headers: { ...headers, origin: 'https://evil.test' } })).toMatchObject({
      status: 403,
    })
  })

  it('answers the refusal of the mount, also with an access key and to a preflight', async () => {
    const checkLogin = () => refusal({ status: 401, code: 'not_signed_in', message: 'Sign in.' })
    const server = await start(probe({ checkLogin }))
    const preflight = { origin: `http://127.0.0.1:${server.port}`, 'access-control-request-method': 'POST' }
    for (const [method, headers] of [
      ['GET', {}],
      ['OPTIONS', preflight],
    ] as const)
      expect(await ask(server, '/v1/thing', { method, headers })).toMatchObject({
        status: 401,
        error: { code: 'not_signed_in', message: 'Sign in.' },
      })
  })

  it('refuses every access key if the server has no check for them', async () => {
    const server = await startServer({ host: '127.0.0.1', port: 0, mounts: [probe()] })
    running.push(server)
    for (const authorization of [undefined, 'Bearer undefined', `Bearer ${token}`])
      expect(await ask(server, '/v1/thing', { headers: { authorization } })).toMatchObject({ status: 401 })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('answers 415 to a body of the type %s', async (type) => {
    const mount = probe()
    const server = await start(mount)
    const headers = { 'content-type': type || undefined }
    expect(await ask(server, '/v1/thing', { method: 'POST', headers, body: '{"a":1}' })).toMatchObject({ status: 415 })
    expect(mount.bodies).toEqual([])
  })

  it('answers 415 to a compressed body', async () => {
    const server = await start()
    const headers = { 'content-encoding': 'gzip' }
    expect(await ask(server, '/v1/thing', { method: 'POST', headers, body: '{}' })).toMatchObject({ status: 415 })
  })

  it('checks WebSocket upgrades like requests', async () => {
    const server = await start()
    const open = (headers: Record<string, string>) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}/v1/thing`, { headers })
        socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
        socket.on('error', () => {})
      })
    expect(await open({})).toBe(401)
    expect(await open({ authorization: `Bearer ${token}`, origin: 'https://evil.test' })).toBe(403)
    expect(await open({ authorization: `Bearer ${token}`, host: 'evil.test' })).toBe(403)
    const other = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nAuthorization: Bearer ${token}\r\n\r\n`
    expect(await raw(server, other)).toMatch(/^HTTP\/1\.1 426 /)
  })
})

describe('the limits of the server', () => {
  it('answers 413 to a body that is too large, with or without Content-Length', async () => {
    const mount = probe()
    const server = await start(mount, { bodyBytes: 1000 })
    const body = JSON.stringify({ text: 'x'.repeat(2000) })
    const declared = await ask(server, '/v1/thing', { method: 'POST', body })
    expect(declared).toMatchObject({ status: 413, error: { code: 'request_too_large' } })
    const chunked = await ask(server, '/v1/thing', {
      method: 'POST',
      body,
      headers: { 'transfer-encoding': 'chunked' },
    })
    expect(chunked).toMatchObject({ status: 413 })
    expect(mount.bodies).toEqual([])
    expect(await ask(server, '/v1/thing')).toMatchObject({ status: 200 })
  })

  it('answers 400 to invalid JSON and to JSON nested too deep', async () => {
    const server = await start()
    for (const body of ['{', '{"a":', 'nonsense', '\u0000', '['.repeat(100_000) + ']'.repeat(100_000)]) {
      expect(await ask(server, '/v1/thing', { method: 'POST', body })).toMatchObject({
        status: 400,
        error: { code: 'invalid_json' },
      })
    }
    const deepString = JSON.stringify({ text: `\\"${'[{'.repeat(1000)}` })
    expect(await ask(server, '/v1/thing', { method: 'POST', body: deepString })).toMatchObject({ status: 200 })
  })

  it('answers 431 to large headers', async () => {
    const server = await start()
    expect(await ask(server, '/v1/thing', { headers: { 'x-long': 'x'.repeat(20_000) } })).toMatchObject({
      status: 431,
      error: { code: 'headers_too_large' },
    })
  })

  it('answers 408 to headers or a body that do not arrive in time', async () => {
    const server = await start(probe(), { headerMs: 200, requestMs: 400 })
    expect(await raw(server, `GET /v1/thing HTTP/1.1\r\nHost: 127.0.0.1`)).toMatch(/^HTTP\/1\.1 408 /)
    const head = `POST /v1/thing HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    expect(await raw(server, head)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('answers 503 while the maximum number of requests is open', async () => {
    const mount = probe()
    const server = await start(mount, { openRequests: 2 })
    const waiting = [ask(server, '/v1/waits'), ask(server, '/v1/waits')]
    await expect.poll(async () => (await ask(server, '/v1/thing')).status).toBe(503)
    expect((await ask(server, '/v1/thing')).headers['retry-after']).toBe('1')
    mount.release()
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ status: 200, text: 'at last' })
    expect(await ask(server, '/v1/thing')).toMatchObject({ status: 200 })
  })

  it('closes the connection idle longest when all are taken', async () => {
    const server = await start(probe(), { connections: 10 })
    const idle = Array.from({ length: 40 }, () => raw(server, ''))
    await expect.poll(async () => (await ask(server, '/v1/thing')).status).toBe(200)
    const closed = await Promise.race([Promise.all(idle.slice(0, 30)), server.close().then(() => 'closed')])
    expect(closed).toHaveLength(30)
  })
})

describe('the server', () => {
  it('answers an unknown path and a bug in the shape of the API, without details of the bug', async () => {
    const server = await start()
    expect(await ask(server, '/v1/none')).toMatchObject({
      status: 404,
      error: { type: 'not_found', code: 'unknown_url' },
    })
    const bug = await ask(server, '/v1/bug')
    expect(bug).toMatchObject({ status: 500, error: { type: 'server_error' } })
    expect(bug.text).not.toContain('42')
  })

  it('finishes open replies when it closes, accepts no others, and waits no longer than its limit', async () => {
    const mount = probe()
    const server = await start(mount, { shutdownMs: 5000 })
    const waiting = ask(server, '/v1/waits')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const closed = server.close()
    mount.release()
    expect(await waiting).toMatchObject({ status: 200, text: 'at last' })
    await closed
    await expect(ask(server, '/v1/thing')).rejects.toThrow('ECONNREFUSED')

    const stuck = await start(probe(), { shutdownMs: 50 })
    const lost = ask(stuck, '/v1/waits').catch((error) => error.code)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await stuck.close()
    expect(await lost).toBe('ECONNRESET')
  })

  it('reports in one sentence that a port is taken', async () => {
    const { port } = await start()
    const again = startServer({ host: '127.0.0.1', port, authorize, mounts: [] })
    await expect(again).rejects.toThrow(`Port ${port} is in use.`)
  })
})
