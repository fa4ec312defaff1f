import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { type ServedPage, servePage } from './served-page.js'

let place: Stage
let served: ServedPage
/** Of the browser that came in with the link. */
let known: string

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
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('the way in', () => {
  it('is the code of the link, once', async () => {
    const code = new URLSearchParams(new URL(served.link).hash.slice(1)).get('code')
    expect((await post('enter', { code: 'guessed' })).status).toBe(403)
    const first = await post('enter', { code })
    const cookie = first.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^notewright-\d+=[0-9a-f]+\.[0-9a-f]+; Path=\/api; HttpOnly; SameSite=Strict$/)
    expect((await post('enter', { code })).status).toBe(403)
    const value = cookie.split(';')[0]
    known = value
    expect((await fetch(`${served.url}/api/overview`, { headers: { cookie: value } })).status).toBe(200)
    const forged = value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect((await fetch(`${served.url}/api/overview`, { headers: { cookie: forged } })).status).toBe(401)
  })

  it.each(['overview', 'sessions', 'events?session=x', 'models', 'note?target=Home', 'names?wanted=a', 'questions'])(
    'is closed for /api/%s without a cookie, from a name of somebody else, and from a page of another origin',
    async (path) => {
      const status = async (headers: Record<string, string>) =>
        (await fetch(`${served.url}/api/${path}`, { headers })).status
      expect(await status({})).toBe(401)
      expect(await status({ origin: 'https://evil.test' })).toBe(403)
      expect(await status({ origin: 'null' })).toBe(403)
    },
  )

  it('has a page that may load nothing but itself', async () => {
    const answer = await fetch(served.url)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)|<style|style=|https?:/)
  })
})

describe('what happens in a conversation', () => {
  /** What has come when the turn is over, as numbers and events. */
  async function toldAfter(session: string, last?: number): Promise<[number, string][]> {
    const gone = new AbortController()
    const headers = { cookie: known, ...(last !== undefined && { 'last-event-id': String(last) }) }
    const answer = await fetch(`${served.url}/api/events?session=${session}`, { headers, signal: gone.signal })
    let text = ''
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (text.includes('"run-end"') && text.endsWith('\n\n')) break
    }
    gone.abort()
    return [...text.matchAll(/^id: (\d+)\nevent: told\ndata: (.*)$/gm)].map(([, id, data]) => [
      Number(id),
      JSON.parse(data).event.type,
    ])
  }

  it('is told with numbers, and from the one on that a browser saw last', async () => {
    const begun = await post('sessions', {}, { cookie: known })
    const { id } = (await begun.json()) as { id: string }
    expect((await post(`sessions/${id}/turns`, { text: 'What do beans climb?' }, { cookie: known })).status).toBe(202)
    const all = await toldAfter(id)
    expect(all[0][1]).toBe('run-start')
    expect(new Set(all.map(([number]) => number)).size).toBe(all.length)
    const [seen] = all[Math.floor(all.length / 2)]
    expect(await toldAfter(id, seen)).toEqual(all.filter(([number]) => number > seen))
  })

  it('that fails is told with what to do, and without what to type in a terminal', async () => {
    const { id } = (await (await post('sessions', {}, { cookie: known })).json()) as { id: string }
    expect((await post(`sessions/${id}/turns`, { text: 'What do beans climb?' }, { cookie: known })).status).toBe(202)
    await toldAfter(id)
    const answer = await post(`sessions/${id}/fork`, { at: 9 }, { cookie: known })
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

  it.each(['sessions/x/turns', 'sessions/x/stop', 'sessions/x/fork', 'approvals/x', 'undo', 'keys/openai', 'enter'])(
    'is never begun by a GET of /api/%s',
    async (path) => {
      expect((await fetch(`${served.url}/api/${path}`, { headers: { cookie: known } })).status).toBe(404)
    },
  )
})

it('shows no note that a rule denies, like the commands of the terminal', async () => {
  const closed = await stage()
  await closed.write('Diary/Secret garden.md', '# Secret garden\n\nThe zebrafinch nests [[Home]].\n')
  await closed.write('Open garden.md', '# Open garden\n\nThe zebrafinch visits [[Secret garden]].\n')
  await closed.write('.notewright/permissions.json', '{"deny":["reads(Diary/**)"]}')
  await closed.json('index')
  const page = await servePage(closed)
  try {
    const enter = await fetch(`${page.url}/api/enter`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: new URLSearchParams(new URL(page.link).hash.slice(1)).get('code') }),
    })
    const cookie = (enter.headers.get('set-cookie') ?? '').split(';')[0]
    const get = async (path: string) => (await fetch(`${page.url}/api/${path}`, { headers: { cookie } })).text()
    const found = await fetch(`${page.url}/api/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', cookie },
      body: JSON.stringify({ query: 'zebrafinch' }),
    })
    const told = await found.text()
    expect(told).toContain('Open garden')
    expect(told).not.toContain('Secret garden.md')
    expect(JSON.parse(await get('note?target=Secret%20garden'))).toMatchObject({ ok: false, code: 'not-found' })
    for (const path of ['note?target=Home', 'related?target=Open%20garden', 'graph?target=Home', 'names?wanted=secret'])
      expect(await get(path), path).not.toContain('Diary')
  } finally {
    await page.stop()
    await closed.remove()
  }
})
