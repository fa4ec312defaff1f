import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { cutOff, meant } from '../e2e/cut-off.js'
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

  it('plans again what waited for the person, on the notes as they are now', async () => {
    const first = await servePage(place)
    const { context, page } = await comeIn(browser, first)
    await ask(page, 'rename Soup to Broth')
    await page.locator('[data-panel]').waitFor()
    await first.stop('SIGKILL')
    await page.getByText('The server does not answer.').waitFor()
    await place.write('Home.md', '# Home\n\nSee [[Soup]] and [[Tomatoes]].\n')
    const second = await servePage(place, ['--port', new URL(first.url).port])
    await page.getByRole('button', { name: 'Plan again' }).click()
    // Where a link turns up while it is planned, the person is asked about that too.
    await expect
      .poll(async () => {
        const isAsked = (await page.locator('.nw-allow').count()) > 0
        if (isAsked) await page.locator('.nw-allow').click()
        return page.locator('.nw-turn').last().locator('.nw-turn-foot').count()
      })
      .toBeGreaterThan(0)
    expect(await place.read('Kitchen/Broth.md')).toContain('Tomato soup')
    expect(await place.read('Home.md')).toContain('[[Broth')
    await context.close()
    await second.stop()
  })
})

describe('a note that somebody changed while a change was cut off', () => {
  it('is decided about on the page, which shows first what that does', async () => {
    const own = await stage()
    await cutOff(own, '# Soup\n\nMy own words.\n')
    const server = await servePage(own)
    const { context, page } = await comeIn(browser, server)
    await page.getByRole('button', { name: 'Activity' }).click()
    const waiting = page.getByRole('region', { name: 'To decide: Move Tomatoes to Love apples' })
    await waiting.getByLabel('Make it what the change meant it to be').check()
    await waiting.locator('.nw-diff', { hasText: 'My own words.' }).waitFor()
    await waiting.getByRole('button', { name: 'Decide so' }).click()
    await waiting.waitFor({ state: 'detached' })
    expect(await own.read('Kitchen/Soup.md')).toBe(meant)
    await context.close()
    await server.stop()
    await own.remove()
  })
})
