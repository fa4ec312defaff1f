import type { Browser } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { openForTests } from '../browser/open-for-tests.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { cutOff, meant } from '../e2e/cut-off.js'
import { ask, comeIn, servePage, showView } from './served-page.js'

let browser: Browser
let place: Stage

openForTests(async () => {
  place = await stage()
  browser = await openBrowser()
  return {
    async close() {
      await browser.close()
      await place.remove()
    },
  }
})

describe('a server that is started again', () => {
  it('leaves the page correct: the turn was interrupted, and the user can continue', async () => {
    const first = await servePage(place)
    const { context, page } = await comeIn(browser, first)
    await ask(page, 'rename Orphan to Lonely')
    await page.locator('[data-panel]').waitFor()
    await first.stop('SIGKILL')
    await page.getByText('The server does not answer.').waitFor()
    const second = await servePage(place, ['--port', new URL(first.url).port])
    await page.getByText('This turn was interrupted').waitFor()
    expect(await place.read('Orphan.md')).toContain('Nobody links here')
    await ask(page, 'What do beans climb?')
    await page.locator('.nw-turn').last().locator('.nw-turn-foot').waitFor()
    expect(await page.locator('[data-panel]').count()).toBe(0)
    expect(await page.locator('.nw-turn').first().innerText()).toContain('Void, since the turn was stopped')
    await context.close()
    await second.stop()
  })

  it('plans pending requests again on the current notes', async () => {
    const first = await servePage(place)
    const { context, page } = await comeIn(browser, first)
    await ask(page, 'rename Soup to Broth')
    await page.locator('[data-panel]').waitFor()
    await first.stop('SIGKILL')
    await page.getByText('The server does not answer.').waitFor()
    await place.write('Home.md', '# Home\n\nSee [[Soup]] and [[Tomatoes]].\n')
    const second = await servePage(place, ['--port', new URL(first.url).port])
    await page.getByRole('button', { name: 'Plan again' }).click()
    // A link that appears during planning is also shown for approval.
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

describe('a note that someone changed during an interrupted change', () => {
  it('is resolved on the page, with a preview', async () => {
    const own = await stage()
    await cutOff(own, '# Soup\n\nMy own words.\n')
    const server = await servePage(own)
    const { context, page } = await comeIn(browser, server)
    await showView(page, 'Activity')
    const waiting = page.getByRole('region', { name: 'To decide: Move Tomatoes to Love apples' })
    await waiting.getByLabel('Finish the change in this note').check()
    await waiting.locator('.nw-diff', { hasText: 'My own words.' }).waitFor()
    await waiting.getByRole('button', { name: 'Apply' }).click()
    await waiting.waitFor({ state: 'detached' })
    expect(await own.read('Kitchen/Soup.md')).toBe(meant)
    await context.close()
    await server.stop()
    await own.remove()
  })
})
