import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import type { Stage } from '../e2e/cli-harness.js'
import { ask, newChat, openPage } from './served-page.js'

let place: Stage
let tabs: [Page, Page]
let troubles: string[]

openForTests(async () => {
  const opened = await openPage()
  ;({ place, troubles } = opened)
  const { context, page } = opened
  tabs = [page, await context.newPage()]
  return opened
})

/** `NOTEWRIGHT_ROUNDS=200` takes a quarter of an hour. */
const rounds = Number(process.env.NOTEWRIGHT_ROUNDS ?? 40)
/** Several rounds share a conversation, as a user would go on in one. */
const roundsEach = 10

const denyButton = (page: Page) => page.locator('[data-panel]').getByRole('button', { name: 'Deny', exact: true })

/** Any of these at any time, in either tab. */
const deeds: Record<string, (page: Page) => Promise<unknown>> = {
  reload: (page) => page.reload({ waitUntil: 'commit' }),
  allow: (page) => page.locator('.nw-allow').click({ timeout: 60, noWaitAfter: true }),
  deny: (page) => denyButton(page).click({ timeout: 60, noWaitAfter: true }),
  stop: (page) => page.getByRole('button', { name: /^Stop/ }).click({ timeout: 60, noWaitAfter: true }),
  look: (page) => page.waitForTimeout(5),
}

/** The same ones again for the same seed. */
function randomFrom(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** Visible text of a tab, without the part that differs between tabs: which of them answered. */
const shown = async (page: Page) =>
  (await page.locator('.nw-log').innerText()).replace(/\bYou (?:allowed|denied)/g, (words) =>
    words === 'You allowed' ? 'Allowed' : 'Denied',
  )

describe('two tabs, reloads and answers in any order', () => {
  it(`show the same in the end, and repeat nothing, ${rounds} times`, async () => {
    const random = randomFrom(18)
    const [first, second] = tabs
    for (let round = 0; round < rounds; round++) {
      if (round % roundsEach === 0) {
        await newChat(first)
      }
      const line = `- line ${round}`
      await ask(first, `append "${line}" to Garden/Beans`)
      await first.locator('[data-panel]').waitFor()
      await second.goto(first.url(), { waitUntil: 'commit' })
      const order = Array.from({ length: 2 + random(4) }, () => {
        return [tabs[random(2)], Object.keys(deeds)[random(Object.keys(deeds).length)]] as const
      })
      // Both tabs at once: what one does may be in the middle of what the other does.
      await Promise.all(
        tabs.map(async (tab) => {
          for (const [page, deed] of order) if (page === tab) await deeds[deed](page).catch(() => undefined)
        }),
      )
      // Whatever still waits is denied.
      await first.locator('.nw-composer').waitFor()
      const isOver = () => first.locator('.nw-turn').last().locator('.nw-turn-foot').count()
      await expect
        .poll(async () => {
          if (await isOver()) return true
          await denyButton(first)
            .click({ timeout: 2000 })
            .catch(() => undefined)
          return (await isOver()) > 0
        })
        .toBe(true)
      await expect
        .poll(async () => (await shown(second).catch(() => '')) === (await shown(first)), { message: `round ${round}` })
        .toBe(true)
      const times = (await place.read('Garden/Beans.md')).split('\n').filter((each) => each === line).length
      const isAllowed = /\bAllowed(?![\s\S]*You asked)/.test((await shown(first)).split(line).slice(-2).join(line))
      expect(times).toBeLessThanOrEqual(1)
      if (times === 1) expect(isAllowed).toBe(true)
    }
    expect(troubles).toEqual([])
    // On a busy machine a round takes seconds.
  }, 3_600_000)
})
