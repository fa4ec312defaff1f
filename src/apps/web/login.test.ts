import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BrowserLogins, browserLogins, openPageState } from '../../hosts/node/web-page.js'
import type { RequestHead, ServerEnv } from '../server/index.js'
import { browserName, type PageLogin, pageLogin } from './login.js'

const url = 'http://127.0.0.1:8430'
let state: string
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'notewright-login-'))
})
afterAll(() => rm(state, { recursive: true, force: true }))

interface Login extends PageLogin {
  logins: BrowserLogins
  exchange(code: unknown, authorization?: string): Promise<{ ok: boolean; credential?: string }>
}

/** A server's login, as after a start: only the file is shared with an earlier one. */
async function login(now?: () => number, address = url): Promise<Login> {
  const logins = browserLogins(await openPageState({ state }), now)
  const made = pageLogin(logins, now)
  const routes = new Hono<ServerEnv>()
  routes.use(async (c, next) => {
    c.set('body', await c.req.json())
    await next()
  })
  made.mount(routes, address)
  return {
    ...made,
    logins,
    async exchange(code, authorization) {
      const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
      const sent = await routes.request('/login', {
        method: 'POST',
        headers: { ...headers, ...(authorization && { authorization }) },
        body: JSON.stringify({ code }),
      })
      return (await sent.json()) as { ok: boolean; credential?: string }
    },
  }
}

function head(method: string, path: string, sent: Record<string, string>): RequestHead {
  const all = (name: string) => (sent[name] === undefined ? [] : [sent[name]])
  return { method, path, all, one: (name) => sent[name] }
}

it('exchanges a code for a credential for two minutes, once', async () => {
  let time = 1_800_000_000_000
  const server = await login(() => time)
  const [early, late] = [server.newCode(), server.newCode()]
  time += 2 * 60_000
  const { credential } = await server.exchange(early)
  expect(server.browserOf(`Bearer ${credential}`)).toMatchObject({ name: 'Firefox on Linux', port: 8430 })
  expect(await server.exchange(early)).toMatchObject({ ok: false })
  time++
  expect(await server.exchange(late)).toMatchObject({ ok: false })
  time = 0
  expect(await server.exchange(late)).toMatchObject({ ok: false })
  expect(await server.exchange(undefined)).toMatchObject({ ok: false })
})

it('recognizes a browser after a restart, on its own port alone, by a hash that only its owner can read', async () => {
  const first = await login()
  const { credential } = await first.exchange(first.newCode())
  expect((await login()).browserOf(`Bearer ${credential}`)).toBeDefined()
  expect((await login(undefined, 'http://127.0.0.1:8431')).browserOf(`Bearer ${credential}`)).toBeUndefined()
  const file = join(state, 'web/page.json')
  expect(await readFile(file, 'utf8')).not.toContain(credential)
  expect((await stat(file)).mode & 0o077).toBe(0)
})

it('gives a browser that is signed in no second credential', async () => {
  const server = await login()
  const { credential } = await server.exchange(server.newCode())
  const before = server.logins.list().length
  expect(await server.exchange(server.newCode(), `Bearer ${credential}`)).toEqual({ ok: true })
  expect(server.logins.list()).toHaveLength(before)
})

it('refuses a revoked browser in every process, and reports it to those who listen', async () => {
  const [first, second] = [await login(), await login()]
  const { credential } = await first.exchange(first.newCode())
  const { id } = second.browserOf(`Bearer ${credential}`)!
  let heard = 0
  const stop = first.logins.onRevoked(id, () => heard++)
  expect(await first.logins.revoke(id)).toBe(true)
  expect(await first.logins.revoke(id)).toBe(false)
  stop()
  expect(heard).toBeGreaterThan(0)
  for (const server of [first, second]) {
    expect(server.browserOf(`Bearer ${credential}`)).toBeUndefined()
    expect(server.logins.isSignedIn(id)).toBe(false)
  }
})

it('lists browsers by last use, and forgets those that were not used for 90 days', async () => {
  let time = 1_900_000_000_000
  const server = await login(() => time)
  const used = await server.exchange(server.newCode())
  time += 1
  await server.exchange(server.newCode())
  time += 60_000
  const { id } = server.browserOf(`Bearer ${used.credential}`)!
  await server.logins.close()
  const listed = (await login(() => time)).logins.list()
  expect(listed[0]).toEqual({ ...listed[0], id, lastUsedAt: new Date(time).toISOString() })
  time += 90 * 24 * 3_600_000
  expect((await login(() => time)).logins.list()).toHaveLength(1)
  time += 1
  expect(server.browserOf(`Bearer ${used.credential}`)).toBeUndefined()
})

it('admits changes only from the page itself, and nothing without the credential but the exchange', async () => {
  const server = await login()
  const { credential } = await server.exchange(server.newCode())
  const host = '127.0.0.1:8430'
  const known = { host, authorization: `Bearer ${credential}` }
  const status = (method: string, path: string, sent: Record<string, string>) => {
    const answer = server.admit(head(method, path, sent))
    return answer === true ? 200 : (answer.details.data as { answer: { status: number } }).answer.status
  }
  expect(status('GET', '/api/overview', known)).toBe(200)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect(status(method, '/api/sessions', known)).toBe(403)
    expect(status(method, '/api/sessions', { ...known, origin: url })).toBe(200)
    for (const origin of ['http://localhost:8430', 'http://127.0.0.1:8431', 'https://127.0.0.1:8430', 'null'])
      expect(status(method, '/api/sessions', { ...known, origin })).toBe(403)
    expect(status(method, '/api/sessions', { host, origin: url })).toBe(401)
  }
  expect(status('POST', '/api/login', { host })).toBe(403)
  expect(status('POST', '/api/login', { host, origin: url })).toBe(200)
  expect(status('GET', '/api/login', { host, origin: url })).toBe(401)
})

it.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36 Edg/147.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/147.0 Mobile Safari/604.1',
    'Chrome on iPhone',
  ],
  ['curl/8.5.0', 'Browser'],
  [undefined, 'Browser'],
])('calls the browser of %s by a name', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
