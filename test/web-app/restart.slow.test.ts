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
