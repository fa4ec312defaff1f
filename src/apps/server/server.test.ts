import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Door } from './door.js'
import type { Limits } from './limits.js'
import { type RunningServer, startServer } from './start-server.js'

const token = 'nw-a-token-for-tests'
const running: RunningServer[] = []

afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

interface Probe extends Door {
  bodies: unknown[]
  release(): void
}

/** A door that remembers what reached it. */
function probe(more: Partial<Door> = {}): Probe {
  const bodies: unknown[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    path: '/v1',
    bodies,
    release: () => release(),
    mount(routes) {
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

async function start(door: Door = probe(), limits: Partial<Limits> = {}): Promise<RunningServer> {
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    token,
    doors: [door],
    origins: ['app://obsidian.md'],
    limits: { goodbyeMs: 200, ...limits },
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
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers: given, agent: false }, (response) => {
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

/** Bytes as they are, and what comes back until the other side closes. */
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

describe('the gate of the server', () => {
  it('lets in whoever knows the token and names this machine', async () => {
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
    const door = probe()
    const server = await start(door)
    const host = name.replace('$P', String(server.port))
    const answer = await ask(server, '/v1/thing', { method: 'POST', headers: { host }, body: '{}' })
    expect(answer).toMatchObject({ status: 403, error: { code: 'host_not_allowed', type: 'invalid_request_error' } })
    expect(door.bodies).toEqual([])
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

  it('lets an app in whose origin the settings name, with the token', async () => {
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

  it('tells nobody more about its health than ok', async () => {
    const server = await start()
    const answer = await ask(server, '/health', { headers: { authorization: undefined } })
    expect(answer).toMatchObject({ status: 200, text: 'ok' })
    expect(await ask(server, '/health', { headers: { host: 'evil.test' } })).toMatchObject({ status: 403 })
  })

  it('lets a door know people in its own way, below its own path alone', async () => {
    const admits = probe({ admits: ({ one }) => one('cookie') === 'page=1' })
    const server = await start(admits)
    const headers = { authorization: undefined, cookie: 'page=1' }
    expect(await ask(server, '/v1/thing', { headers })).toMatchObject({ status: 200 })
    expect(await ask(server, '/v10/thing', { headers })).toMatchObject({ status: 401 })
    expect(await ask(server, '/v1/thing', { headers: { ...headers, origin: 'https://evil.test' } })).toMatchObject({
      status: 403,
    })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('answers 415 to a body of the type %s', async (type) => {
    const door = probe()
    const server = await start(door)
    const headers = { 'content-type': type || undefined }
    expect(await ask(server, '/v1/thing', { method: 'POST', headers, body: '{"a":1}' })).toMatchObject({ status: 415 })
    expect(door.bodies).toEqual([])
  })

  it('answers 415 to a compressed body', async () => {
    const server = await start()
    const headers = { 'content-encoding': 'gzip' }
    expect(await ask(server, '/v1/thing', { method: 'POST', headers, body: '{}' })).toMatchObject({ status: 415 })
  })

  it('refuses a WebSocket as it refuses a request', async () => {
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
  it('answers 413 to a body that is too large, told beforehand or not', async () => {
    const door = probe()
    const server = await start(door, { bodyBytes: 1000 })
    const body = JSON.stringify({ text: 'x'.repeat(2000) })
    const told = await ask(server, '/v1/thing', { method: 'POST', body })
    expect(told).toMatchObject({ status: 413, error: { code: 'request_too_large' } })
    const untold = await ask(server, '/v1/thing', { method: 'POST', body, headers: { 'transfer-encoding': 'chunked' } })
    expect(untold).toMatchObject({ status: 413 })
    expect(door.bodies).toEqual([])
    expect(await ask(server, '/v1/thing')).toMatchObject({ status: 200 })
  })

  it('answers 400 to what is not JSON, broken text, or nested without end', async () => {
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

  it('answers 408 to a head or a body that does not come', async () => {
    const server = await start(probe(), { headMs: 200, requestMs: 400 })
    expect(await raw(server, `GET /v1/thing HTTP/1.1\r\nHost: 127.0.0.1`)).toMatch(/^HTTP\/1\.1 408 /)
    const head = `POST /v1/thing HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    expect(await raw(server, head)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('answers 503 while as many requests are at work as it bears', async () => {
    const door = probe()
    const server = await start(door, { requests: 2 })
    const waiting = [ask(server, '/v1/waits'), ask(server, '/v1/waits')]
    await expect.poll(async () => (await ask(server, '/v1/thing')).status).toBe(503)
    expect((await ask(server, '/v1/thing')).headers['retry-after']).toBe('1')
    door.release()
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ status: 200, text: 'at last' })
    expect(await ask(server, '/v1/thing')).toMatchObject({ status: 200 })
  })

  it('closes the connection that has been idle longest when all are taken', async () => {
    const server = await start(probe(), { connections: 10 })
    const idle = Array.from({ length: 40 }, () => raw(server, ''))
    await expect.poll(async () => (await ask(server, '/v1/thing')).status).toBe(200)
    const closed = await Promise.race([Promise.all(idle.slice(0, 30)), server.close().then(() => 'closed')])
    expect(closed).toHaveLength(30)
  })
})

describe('the server', () => {
  it('answers an unknown path and a bug in the shape of the API, and tells nothing of the bug', async () => {
    const server = await start()
    expect(await ask(server, '/v1/none')).toMatchObject({
      status: 404,
      error: { type: 'not_found', code: 'unknown_url' },
    })
    const bug = await ask(server, '/v1/bug')
    expect(bug).toMatchObject({ status: 500, error: { type: 'server_error' } })
    expect(bug.text).not.toContain('42')
  })

  it('lets an open reply end when it is closed, takes no other, and waits no longer than told', async () => {
    const door = probe()
    const server = await start(door, { goodbyeMs: 5000 })
    const waiting = ask(server, '/v1/waits')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const closed = server.close()
    door.release()
    expect(await waiting).toMatchObject({ status: 200, text: 'at last' })
    await closed
    await expect(ask(server, '/v1/thing')).rejects.toThrow('ECONNREFUSED')

    const stuck = await start(probe(), { goodbyeMs: 50 })
    const lost = ask(stuck, '/v1/waits').catch((error) => error.code)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await stuck.close()
    expect(await lost).toBe('ECONNRESET')
  })

  it('says in one sentence that a port is taken', async () => {
    const { port } = await start()
    const again = startServer({ host: '127.0.0.1', port, token, doors: [] })
    await expect(again).rejects.toThrow(`Port ${port} is taken by another program.`)
  })
})
