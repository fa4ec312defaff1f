import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { ask, comeIn, servePage } from './served-page.js'

let browser: Browser
let place: Stage

beforeAll(async () => {
  place = await stage()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await place?.remove()
})

describe('a page of another origin', () => {
  it('can read nothing and do nothing, whatever it tries', async () => {
    const before = await place.treeHash()
    const again = await servePage(place)
    const { context, page } = await comeIn(browser, again)
    await ask(page, 'rename Orphan to Lonely')
    await page.locator('[data-panel]').waitFor()
    const evil = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end('<!doctype html><title>evil</title>')
    })
    await new Promise<void>((resolve) => evil.listen(0, 'localhost', resolve))
    const other = await context.newPage()
    await other.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`)
    // The browser sends what it would send for a person: with cookies, from this origin.
    const tried = (await other.evaluate(`(async () => {
      const url = ${JSON.stringify(again.url)}
      const outcome = (promise) => promise.then((answer) => answer.type + ' ' + answer.status, () => 'blocked')
      const events = new EventSource(url + '/api/events?session=x', { withCredentials: true })
      const silent = new Promise((resolve) => { events.onmessage = () => resolve('heard'); events.onerror = () => resolve('blocked') })
      const image = new Promise((resolve) => { const one = new Image(); one.onload = () => resolve('loaded'); one.onerror = () => resolve('blocked'); one.src = url + '/api/overview' })
      const form = document.createElement('form')
      const frame = document.createElement('iframe')
      frame.name = 'f'
      document.body.append(frame, form)
      Object.assign(form, { method: 'POST', action: url + '/api/sessions', target: 'f', enctype: 'text/plain' })
      form.submit()
      return [
        await outcome(fetch(url + '/api/overview', { credentials: 'include' })),
        await outcome(fetch(url + '/api/sessions', { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: '{}' })),
        await outcome(fetch(url + '/api/sessions', { method: 'POST', credentials: 'include', mode: 'no-cors', headers: { 'Content-Type': 'text/plain' }, body: '{}' })),
        await silent,
        await image,
      ]
    })()`)) as string[]
    expect(tried).toEqual(['blocked', 'blocked', 'opaque 0', 'blocked', 'blocked'])
    // Nothing was begun, and what waited still waits.
    const { sessions } = (await page.evaluate(`fetch('/api/sessions').then((answer) => answer.json())`)) as {
      sessions: unknown[]
    }
    expect(sessions).toHaveLength(1)
    expect(await page.locator('[data-panel]').count()).toBe(1)
    expect(await place.treeHash()).toBe(before)
    await context.close()
    evil.close()
    await again.stop()
  })
})

describe('an answer to a question nobody asked', () => {
  it('is refused with its reason: made up, given twice, or for another conversation', async () => {
    const again = await servePage(place)
    const { context, page } = await comeIn(browser, again)
    await ask(page, 'rename Orphan to Lonely')
    await page.locator('[data-panel]').waitFor()
    const answered = (await page.evaluate(`(async () => {
      const answer = async (id, body) => {
        const got = await fetch('/api/approvals/' + id, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
        return got.status + ' ' + ((await got.json()).code ?? 'ok')
      }
      const session = new URLSearchParams(location.hash.slice(1)).get('session')
      const events = new EventSource('/api/events?session=' + session)
      const panel = await new Promise((resolve) => events.addEventListener('told', ({ data }) => {
        const { event } = JSON.parse(data)
        if (event.type === 'approval-asked') resolve(event.panel)
      }))
      events.close()
      const { id, hash } = panel
      return [
        await answer('ap1', { verdict: 'allow', hash, session }),
        await answer(id, { verdict: 'allow', hash, session: 'other' }),
        await answer(id, { verdict: 'allow', hash: 'other', session }),
        await answer(id, { verdict: 'allow', hash, session, scope: 'forever' }),
        await answer(id, { verdict: 'deny', hash, session }),
        await answer(id, { verdict: 'allow', hash, session }),
      ]
    })()`)) as string[]
    expect(answered).toEqual([
      '409 approval_unknown',
      '409 approval_other_session',
      '409 approval_wrong_hash',
      '409 approval_invalid',
      '200 ok',
      '409 approval_used',
    ])
    expect(await place.read('Orphan.md')).toContain('Nobody links here')
    await context.close()
    await again.stop()
  })
})

describe('a server that is started again', () => {
  it('leaves the page in a state that is true: the turn broke off, and one can ask on', async () => {
    const first = await servePage(place)
    const { context, page } = await comeIn(browser, first)
    await ask(page, 'rename Orphan to Lonely')
    await page.locator('[data-panel]').waitFor()
    await first.stop('SIGKILL')
    await page.getByText('The server does not answer.').waitFor()
    const second = await servePage(place, ['--port', new URL(first.url).port])
    await page.getByText('This turn broke off').waitFor()
    expect(await place.read('Orphan.md')).toContain('Nobody links here')
    await ask(page, 'What do beans climb?')
    await page.locator('.nw-turn').last().locator('.nw-turn-foot').waitFor()
    expect(await page.locator('[data-panel]').count()).toBe(0)
    expect(await page.locator('.nw-turn').first().innerText()).toContain('Void, since the turn was stopped')
    await context.close()
    await second.stop()
  })
})
