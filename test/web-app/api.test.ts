import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { codeOf, type ServedPage, servePage, signIn } from './served-page.js'

let place: Stage
let served: ServedPage
/** Headers of the browser that signed in with the link. */
let known: Record<string, string>

beforeAll(async () => {
  place = await stage()
  served = await servePage(place)
})
afterAll(async () => {
  await served?.stop()
  await place?.remove()
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${served.url}/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: served.url, ...headers },
    body: JSON.stringify(body),
  })

describe('signing in', () => {
  it('works once with the code of the link, and sets no cookie', async () => {
    const code = codeOf(served.link)
    expect((await post('login', { code: 'guessed' })).status).toBe(403)
    expect((await post('login', { code }, { Origin: 'http://127.0.0.1:1' })).status).toBe(403)
    const first = await post('login', { code })
    expect(first.headers.get('set-cookie')).toBeNull()
    const { credential } = (await first.json()) as { credential: string }
    expect((await post('login', { code })).status).toBe(403)
    known = { Authorization: `Bearer ${credential}` }
    expect((await fetch(`${served.url}/api/overview`, { headers: known })).status).toBe(200)
    const forged = credential.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    const wrong: [string, string][] = [
      ['Authorization', `Bearer ${forged}`],
      ['Cookie', `notewright-login=${credential}`],
    ]
    for (const header of wrong)
      expect((await fetch(`${served.url}/api/overview`, { headers: [header] })).status).toBe(401)
  })

  it.each(['overview', 'sessions', 'events?follow=x:0', 'models', 'note?target=Home', 'names?wanted=a', 'questions'])(
    'is required for /api/%s, and other hosts and origins are refused',
    async (path) => {
      const status = async (headers: Record<string, string>) =>
        (await fetch(`${served.url}/api/${path}`, { headers })).status
      expect(await status({})).toBe(401)
      expect(await status({ origin: 'https://evil.test' })).toBe(403)
      expect(await status({ origin: 'null' })).toBe(403)
    },
  )

  it('serves a page that may load only its own files', async () => {
    const answer = await fetch(served.url)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)|<style|style=|https?:/)
  })
})

describe('events of a conversation', () => {
  /** The ids and types of the events received until the turn is over. */
  async function toldAfter(session: string, last = 0): Promise<[number, string][]> {
    return (await toldOf([`${session}:${last}`])).map(([, number, type]) => [number, type])
  }

  /** Session, number and type of the events of several, until the turn of each is over. */
  async function toldOf(follow: string[]): Promise<[string, number, string][]> {
    const gone = new AbortController()
    const query = follow.map((one) => `follow=${encodeURIComponent(one)}`).join('&')
    const answer = await fetch(`${served.url}/api/events?${query}`, { headers: known, signal: gone.signal })
    let text = ''
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (text.split('"run-end"').length > follow.length && text.endsWith('\n\n')) break
    }
    gone.abort()
    return [...text.matchAll(/^id: (.+):(\d+)\nevent: told\ndata: (.*)$/gm)].map(([, session, number, data]) => [
      session,
      Number(number),
      JSON.parse(data).event.type,
    ])
  }

  it('of several conversations come in one stream, each from its own last event on', async () => {
    const ids: string[] = []
    for (const text of ['What do beans climb?', 'When does late blight come?']) {
      const { id } = (await (await post('sessions', {}, known)).json()) as { id: string }
      await post(`sessions/${id}/turns`, { text }, known)
      await toldAfter(id)
      ids.push(id)
    }
    const told = await toldOf([`${ids[0]}:0`, `${ids[1]}:1`])
    const numbers = (id: string) => told.filter(([session]) => session === id).map(([, number]) => number)
    expect(numbers(ids[0])).toEqual(numbers(ids[0]).map((_, at) => at + 1))
    expect(numbers(ids[1])).toEqual(numbers(ids[1]).map((_, at) => at + 2))
    expect(numbers(ids[1]).length).toBeGreaterThan(3)
  })

  it('are sent with ids, and from the last seen id on', async () => {
    const begun = await post('sessions', {}, known)
    const { id } = (await begun.json()) as { id: string }
    expect((await post(`sessions/${id}/turns`, { text: 'What do beans climb?' }, known)).status).toBe(202)
    const all = await toldAfter(id)
    expect(all[0][1]).toBe('run-start')
    expect(new Set(all.map(([number]) => number)).size).toBe(all.length)
    const [seen] = all[Math.floor(all.length / 2)]
    expect(await toldAfter(id, seen)).toEqual(all.filter(([number]) => number > seen))
  })

  it('of a failure say what to do, without a command to type', async () => {
    const { id } = (await (await post('sessions', {}, known)).json()) as { id: string }
    expect((await post(`sessions/${id}/turns`, { text: 'What do beans climb?' }, known)).status).toBe(202)
    await toldAfter(id)
    const answer = await post(`sessions/${id}/fork`, { at: 9 }, known)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        ok: false,
        code: 'invalid-input',
        text: expect.stringContaining('no turn 9'),
        hint: 'Choose one of its turns.',
      },
    ])
  })

  it.each([
    'sessions/x/turns',
    'sessions/x/stop',
    'sessions/x/fork',
    'sessions/x/remove',
    'approvals/x',
    'undo',
    'keys/openai',
    'login',
  ])('are never started by a GET of /api/%s', async (path) => {
    expect((await fetch(`${served.url}/api/${path}`, { headers: known })).status).toBe(404)
  })
})

it('show no note that a rule denies, like the commands of the terminal', async () => {
  const closed = await stage()
  await closed.write('Diary/Secret garden.md', '# Secret garden\n\nThe zebrafinch nests [[Home]].\n')
  await closed.write('Open garden.md', '# Open garden\n\nThe zebrafinch visits [[Secret garden]].\n')
  await closed.write('.notewright/permissions.json', '{"deny":["reads(Diary/**)"]}')
  await closed.json('index')
  const page = await servePage(closed)
  try {
    const headers = await signIn(page)
    const get = async (path: string) => (await fetch(`${page.url}/api/${path}`, { headers })).text()
    const found = await fetch(`${page.url}/api/search`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: 'zebrafinch' }),
    })
    const told = await found.text()
    expect(told).toContain('Open garden')
    expect(told).not.toContain('Secret garden.md')
    expect(JSON.parse(await get('note?target=Secret%20garden'))).toMatchObject({ ok: false, code: 'not-found' })
    for (const path of [
      'note?target=Home',
      'related?target=Open%20garden',
      'graph?target=Home',
      'names?wanted=secret',
      'tree',
    ])
      expect(await get(path), path).not.toContain('Diary')
  } finally {
    await page.stop()
    await closed.remove()
  }
})

describe('the list of chats', () => {
  interface Row {
    id: string
    title: string
    pinned?: boolean
  }
  const list = async (words = '') => {
    const answer = await fetch(`${served.url}/api/sessions?words=${words}`, { headers: known })
    return ((await answer.json()) as { sessions: Row[] }).sessions
  }
  /** A chat with one answered question. */
  async function chat(text: string): Promise<string> {
    const { id } = (await (await post('sessions', {}, known)).json()) as { id: string }
    await post(`sessions/${id}/turns`, { text }, known)
    const isRunning = async () =>
      ((await (await fetch(`${served.url}/api/sessions/${id}`, { headers: known })).json()) as { running: boolean })
        .running
    await expect.poll(isRunning).toBe(false)
    return id
  }

  it('renames, pins and finds a chat, and exports it as Markdown', async () => {
    const id = await chat('Where do pumpkins grow?')
    expect((await post(`sessions/${id}/rename`, { title: 'Pumpkins: where' }, known)).status).toBe(200)
    expect((await post(`sessions/${id}/pin`, { pinned: true }, known)).status).toBe(200)
    expect((await list()).find((one) => one.id === id)).toMatchObject({ title: 'Pumpkins where', pinned: true })
    expect((await list('pumpkins grow')).map((one) => one.id)).toEqual([id])
    await post(`sessions/${id}/pin`, { pinned: false }, known)
    expect((await list()).find((one) => one.id === id)?.pinned).toBeUndefined()
    const answer = await fetch(`${served.url}/api/sessions/${id}/export`, { headers: known })
    const { name, text } = (await answer.json()) as { name: string; text: string }
    expect(name).toBe('Pumpkins where.md')
    expect(text).toContain('Where do pumpkins grow?')
    expect((await post(`sessions/${id}/pin`, { pinned: 'yes' }, known)).status).toBe(400)
    expect((await post('sessions/none-of-these/pin', { pinned: true }, known)).status).toBe(404)
  })

  it('deletes a chat that is open here, and only that one', async () => {
    const before = (await list()).map((one) => one.id)
    const id = await chat('Where do figs grow?')
    expect((await post(`sessions/${id}/remove`, {}, known)).status).toBe(200)
    expect((await list()).map((one) => one.id)).toEqual(before)
    expect((await post(`sessions/${id}/remove`, {}, known)).status).toBe(404)
  })

  it('is beside the tree of notes, which names no hidden one', async () => {
    const { notes } = (await (await fetch(`${served.url}/api/tree`, { headers: known })).json()) as { notes: string[] }
    expect(notes).toContain('Garden/Beans.md')
    expect(notes.join()).not.toMatch(/secret|\.obsidian/i)
  })
})

describe('access keys on the page', () => {
  const get = async (path: string) => (await fetch(`${served.url}/api/${path}`, { headers: known })).json()
  const list = async () => ((await get('access-keys')) as { keys: { name: string; id: string }[] }).keys

  it('are created once, listed without their secret, refused twice, and revoked', async () => {
    const made = await post('access-keys', { name: 'my-editor' }, known)
    const { key, secret } = (await made.json()) as { key: { id: string }; secret: string }
    expect([made.status, secret]).toEqual([200, expect.stringMatching(/^nwk-.{40,}/)])
    // A new key reads this vault, and nothing that it sends back counts as the user's approval.
    const terms = { routes: ['api', 'mcp'], vaults: [basename(place.vault)], level: 'read-only', trustsForms: false }
    expect(await list()).toMatchObject([{ name: 'my-editor', id: key.id, ...terms }])
    expect(JSON.stringify(await get('access-keys'))).not.toContain(secret)
    expect((await post('access-keys', { name: 'my-editor' }, known)).status).toBe(409)
    const { stdout } = await place.run(['serve', 'keys', 'list', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ id: key.id, level: 'read-only', trustsForms: false }])
    expect((await post(`access-keys/${key.id}/revoke`, {}, known)).status).toBe(200)
    expect(await list()).toEqual([])
    expect((await post(`access-keys/${key.id}/revoke`, {}, known)).status).toBe(404)
  })

  it('have the chosen routes, vaults and level, and cannot get more', async () => {
    const chosen = { name: 'agent', routes: ['mcp'], allVaults: true, level: 'ask' }
    expect((await post('access-keys', chosen, known)).status).toBe(200)
    expect(await list()).toMatchObject([
      { name: 'agent', routes: ['mcp'], vaults: 'all', level: 'ask', trustsForms: false },
    ])
    for (const wrong of [
      { name: 'a', trustsForms: true },
      { name: 'a', routes: [] },
      { name: 'a', routes: ['page'] },
      { name: 'a', level: 'everything' },
      { name: 'A b' },
      {},
    ])
      expect((await post('access-keys', wrong, known)).status).toBe(400)
    expect(await list()).toHaveLength(1)
  })

  it('can be created only on the page: no key opens it', async () => {
    const made = await post('access-keys', { name: 'other', level: 'auto' }, known)
    const { secret } = (await made.json()) as { secret: string }
    const strangers: Record<string, string>[] = [
      {},
      { Authorization: `Bearer ${secret}` },
      { ...known, Origin: 'https://evil.test' },
    ]
    for (const headers of strangers)
      expect([401, 403]).toContain((await post('access-keys', { name: 'more' }, headers)).status)
    const asKey = await fetch(`${served.url}/api/access-keys`, { headers: { Authorization: `Bearer ${secret}` } })
    expect(asKey.status).toBe(401)
  })
})
