import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiRoute, apiRoutes } from './api-routes.js'
import { codeOf, type OpenedPage, openPage, type ServedPage } from './served-page.js'

interface Received {
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** Another program of this machine with a page of its own, which writes down whatever it is sent. */
interface OtherServer {
  url: string
  received: Received[]
  close(): void
}

let opened: OpenedPage
let served: ServedPage
let context: BrowserContext
let page: Page
let credential: string

beforeAll(async () => {
  opened = await openPage(async (place) => {
    await mkdir(join(place.home, 'state/serve'), { recursive: true })
    await writeFile(join(place.home, 'state/serve/token'), oldToken)
  })
  ;({ served, context, page } = opened)
  credential = (await page.evaluate(`localStorage.getItem('notewright-login')`)) as string
})
afterAll(() => opened?.close())

/** The token of `serve` as earlier versions kept it, with which they also signed the page's cookie. */
const oldToken = 'nw-a-token-that-an-earlier-version-made'

/** One request with exactly these headers; only the head of the answer is waited for. */
function ask(
  { method, path }: ApiRoute,
  headers: Record<string, string>,
): Promise<{ status: number; headers: object }> {
  const { port } = new URL(served.url)
  const body = method === 'GET' ? undefined : '{}'
  const all = { ...(body && { 'content-type': 'application/json', 'content-length': '2' }), ...headers }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers })
      answer.destroy()
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** How each route answers, by method and path. */
async function statuses(routes: readonly ApiRoute[], headers: Record<string, string>): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const route of routes) found[`${route.method} ${route.path}`] = (await ask(route, headers)).status
  return found
}

const refused = (found: Record<string, number>) =>
  Object.entries(found).filter(([, status]) => ![401, 403].includes(status))

async function otherServer(host: string): Promise<OtherServer> {
  const received: Received[] = []
  const server: Server = createServer(async (incoming, response) => {
    let body = ''
    for await (const part of incoming) body += part
    received.push({ url: incoming.url ?? '', headers: incoming.headers, body })
    response.writeHead(200, { 'Content-Type': incoming.url?.endsWith('/') ? 'text/html' : 'text/plain' })
    response.end(`<!doctype html><title>other</title><img src="/api/picture.png"><script src="/api/app.js"></script>
      <link rel="stylesheet" href="/style.css"><iframe src="/api/frame"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://${host}:${port}`, received, close: () => server.close() }
}

/** All that a page of another port can have the browser send, to its own server and to ours. */
const attempts = (ours: string): string => `(async () => {
  const outcome = (promise) => promise.then((answer) => answer.status, () => 'blocked')
  const own = [
    await outcome(fetch('/api/overview', { credentials: 'include' })),
    await outcome(fetch('/api/login', { method: 'POST', credentials: 'include', body: '{}' })),
    await outcome(fetch('/', { credentials: 'include' })),
  ]
  const theirs = [
    await outcome(fetch(${JSON.stringify(ours)} + '/api/overview', { credentials: 'include' })),
    await outcome(fetch(${JSON.stringify(ours)} + '/api/sessions', { method: 'POST', credentials: 'include', body: '{}' })),
  ]
  return { own, theirs, stored: Object.keys(localStorage), cookies: document.cookie }
})()`

describe('another port of this machine', () => {
  it('receives no credential of the page, and its requests open no route', async () => {
    expect(credential).toMatch(/^nwb_[\w-]{43}$/)
    const others = await Promise.all(['127.0.0.1', 'localhost'].map(otherServer))
    for (const other of others) {
      // As the user opens it, as a link of our page leads there, and as a script of our page might send it.
      const visit = await context.newPage()
      await visit.goto(`${other.url}/`)
      await visit.goto(`${other.url}/api/`)
      expect(await visit.evaluate(attempts(served.url))).toEqual({
        own: [200, 200, 200],
        theirs: ['blocked', 'blocked'],
        stored: [],
        cookies: '',
      })
      await visit.close()
      const opened = context.waitForEvent('page')
      await page.evaluate(`window.open(${JSON.stringify(`${other.url}/api/opened/`)})`)
      await (await opened).waitForLoadState()
      await (await opened).close()
    }
    const received = others.flatMap((other) => other.received)
    for (const other of others) other.close()

    const urls = new Set(received.map(({ url }) => url))
    for (const url of ['/', '/api/', '/api/opened/', '/api/picture.png', '/api/app.js', '/api/frame', '/style.css'])
      expect(urls).toContain(url)
    expect(received.map(({ headers }) => [headers.cookie, headers.authorization])).toEqual(
      received.map(() => [undefined, undefined]),
    )
    const told = JSON.stringify(received)
    for (const secret of [credential, codeOf(served.link)!]) expect(told).not.toContain(secret)

    const routes = apiRoutes()
    expect(routes.length).toBeGreaterThan(50)
    for (const replayed of distinct(received)) {
      expect(refused(await statuses(routes, replayed))).toEqual([])
      expect(refused(await statuses(routes, { ...replayed, origin: served.url }))).toEqual([])
    }
  })

  it('cannot use the cookie or the token of an earlier version', async () => {
    const signature = createHmac('sha256', oldToken).update('web 00').digest('hex')
    const cookie = `notewright-${new URL(served.url).port}=00.${signature}`
    for (const headers of [{ cookie }, { authorization: `Bearer ${oldToken}` }] as Record<string, string>[]) {
      expect(refused(await statuses(apiRoutes(), headers))).toEqual([])
      expect(refused(await statuses(apiRoutes(), { ...headers, origin: served.url }))).toEqual([])
    }
  })
})

describe('every route of /api', () => {
  const isReading = (name: string) => name.startsWith('GET ')
  const isLogin = (name: string) => name === 'POST /api/login'

  it('answers 401 without the credential, also from the page itself', async () => {
    const found = Object.entries(await statuses(apiRoutes(), { origin: served.url }))
    expect(found.filter(([name, status]) => status !== 401 && !isLogin(name))).toEqual([])
  })

  it('answers with the credential, and changes something only from the page itself', async () => {
    const known = { authorization: `Bearer ${credential}` }
    const routes = apiRoutes()
    const without = Object.entries(await statuses(routes, known))
    expect(without.filter(([name, status]) => !isReading(name) && status !== 403)).toEqual([])
    expect(without.filter(([name, status]) => isReading(name) && [401, 403].includes(status))).toEqual([])
    const elsewhere = { ...known, origin: served.url.replace('127.0.0.1', 'localhost') }
    const foreign = Object.entries(await statuses(routes, elsewhere))
    expect(foreign.filter(([name, status]) => !isReading(name) && status !== 403)).toEqual([])
    const own = Object.entries(await statuses(routes, { ...known, origin: served.url }))
    expect(own.filter(([name, status]) => !isLogin(name) && [401, 403].includes(status))).toEqual([])
  })

  it('forbids caching, sniffing and embedding of its answers, also of errors', async () => {
    for (const headers of [{}, { authorization: `Bearer ${credential}`, origin: served.url }] as Record<
      string,
      string
    >[])
      for (const route of apiRoutes())
        expect((await ask(route, headers)).headers, `${route.method} ${route.path}`).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        })
  })
})

/** The distinct requests, without headers of a single connection. */
function distinct(received: readonly Received[]): Record<string, string>[] {
  const left = new Set([
    'host',
    'connection',
    'content-length',
    'content-type',
    'transfer-encoding',
    'origin',
    'referer',
  ])
  const all = received.map(({ headers }) =>
    Object.fromEntries(
      Object.entries(headers).filter(([name]) => !left.has(name) && !/^sec-|^accept|^upgrade/.test(name)),
    ),
  )
  return [...new Map(all.map((headers) => [JSON.stringify(headers), headers as Record<string, string>])).values()]
}
