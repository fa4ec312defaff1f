import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { openForTests } from '../browser/open-for-tests.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { axeViolations } from '../ui/story-page.js'
import { ask, comeIn, servePage, showView, signIn } from './served-page.js'

let browser: Browser
let place: Stage

openForTests(async () => {
  ;[place, browser] = await Promise.all([stage(), openBrowser()])
  return {
    async close() {
      await browser.close()
      await place.remove()
    },
  }
})

const pageState = async () => JSON.parse(await readFile(join(place.home, 'state/web/page.json'), 'utf8'))
const portOf = ({ url }: { url: string }) => new URL(url).port

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function openBrowsers(page: Page): Promise<void> {
  await showView(page, 'Settings')
  await page.getByRole('button', { name: 'Browsers' }).click()
  await page.getByRole('heading', { name: 'Signed-in browsers' }).waitFor()
}

describe('a signed-in browser', () => {
  it('stays signed in after a restart, lists the others, and can sign them out with their streams', async () => {
    const port = ['--port', String(await freePort())]
    const first = await servePage(place, port)
    const { context, page, troubles } = await comeIn(browser, first)
    expect(page.url()).toBe(`${first.url}/`)
    await ask(page, 'What do beans climb?')
    await page.locator('.nw-turn-foot').waitFor()
    await first.stop()

    const served = await servePage(place, port)
    const headers = await signIn(served)
    const events = await fetch(`${served.url}/api/events`, { headers })
    await page.reload()
    await page.locator('.nw-turn-foot').waitFor()
    await openBrowsers(page)
    const rows = page.locator('.page-section .page-rows li')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.filter({ hasText: 'this browser' }).innerText()).toMatch(/^Chrome on \w+ this browser/)
    expect(await axeViolations(page)).toEqual([])
    await rows.filter({ hasNotText: 'this browser' }).getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    // The stream is over: reading it to its end does not wait.
    expect(await events.text()).toContain('event: open')
    expect((await fetch(`${served.url}/api/overview`, { headers })).status).toBe(401)
    expect(troubles).toEqual([])
    await context.close()
    await served.stop()
  })

  it('creates a link for another one, and shows in every tab when it is signed out', async () => {
    const served = await servePage(place)
    const { context, page, troubles } = await comeIn(browser, served)
    const tab = await context.newPage()
    await tab.goto(page.url())
    await tab.waitForSelector('.nw-composer')
    await openBrowsers(page)
    await page.getByRole('button', { name: 'Sign in another browser' }).click()
    const link = await page.locator('.page-link').innerText()
    const other = await comeIn(browser, { ...served, link })
    await other.page.waitForSelector('.nw-composer')
    expect(other.page.url()).toBe(`${served.url}/`)
    // The link is used up; for a browser that is signed in this is no trouble.
    await other.page.goto('about:blank')
    await other.page.goto(link)
    await other.page.waitForSelector('.nw-composer')

    await page
      .getByRole('button', { name: 'Sign out Chrome', exact: false })
      .filter({ visible: true })
      .first()
      .waitFor()
    await page.getByRole('button', { name: /this browser/ }).click()
    for (const signedOut of [page, tab]) {
      await signedOut.getByText("This browser isn't signed in.").waitFor()
      expect(await signedOut.innerText('main')).toContain('Run notewright web in a terminal')
      expect(await signedOut.evaluate('localStorage.length')).toBe(0)
    }
    expect(await axeViolations(page)).toEqual([])
    await page.goto(link)
    await page.reload()
    await page.getByText("This browser isn't signed in.").waitFor()
    expect(await other.page.locator('.nw-composer').count()).toBe(1)

    // A new link in one tab brings the other tab back too.
    const headers = { Authorization: `Bearer ${await other.page.evaluate(`localStorage.getItem('notewright-login')`)}` }
    const made = await fetch(`${served.url}/api/browsers`, {
      method: 'POST',
      headers: { ...headers, Origin: served.url },
    })
    await page.goto('about:blank')
    await page.goto(served.url + ((await made.json()) as { path: string }).path)
    for (const signedIn of [page, tab]) await signedIn.waitForSelector('.nw-composer')
    expect(troubles).toEqual([])
    await Promise.all([context.close(), other.context.close()])
    await served.stop()
  })
})

describe('the port of the page', () => {
  it('is chosen for each vault on its first start, and remembered', async () => {
    const second = await stage()
    const pages = [
      await servePage(place, [], { usualPort: true }),
      await servePage({ ...second, environment: place.environment }, [], { usualPort: true }),
    ]
    const ports = pages.map(portOf)
    expect(new Set(ports).size).toBe(2)
    expect(Object.values((await pageState()).ports).map(String)).toEqual(expect.arrayContaining(ports))
    expect((await stat(join(place.home, 'state/web/page.json'))).mode & 0o077).toBe(0)

    const taken = await place.run(['web', '--no-open', '--vault', place.vault])
    expect(taken.code).not.toBe(0)
    expect(taken.stderr).toContain(`Port ${ports[0]} is in use.`)
    expect(taken.stderr).toContain('notewright web --port NUMBER')
    await Promise.all(pages.map((page) => page.stop()))
    await second.remove()
  })

  it('is the last one named by the user, not a random one', async () => {
    const own = await stage()
    const port = String(await freePort())
    await (await servePage(own, ['--port', port])).stop()
    const any = await servePage(own, ['--port', '0'])
    expect(portOf(any)).not.toBe(port)
    await any.stop()
    const usual = await servePage(own, [], { usualPort: true })
    expect(portOf(usual)).toBe(port)
    await usual.stop()
    await own.remove()
  })
})
