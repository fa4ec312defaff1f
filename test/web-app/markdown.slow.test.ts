import { mkdir, writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { openForTests } from '../browser/open-for-tests.js'
import { redPng } from '../browser/red-png.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { type ModelServer, modelServer } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { ask, comeIn, newChat, type ServedPage, servePage } from './served-page.js'

const everything = `# Rain for the butts

About **33 mm** of rain fills *all six* butts, ==most== of them by June[^1]. It costs $5 and $6. The area is $A = 6 \\cdot 7$ m².

$$
V = A \\cdot r \\cdot 0.9 = \\frac{42 \\cdot 12}{1.1} \\approx 454
$$

| Rain | Water caught | Butts |
| --- | :-: | --: |
| 5 mm | 189 l | 15% |
| 12 mm | 454 l | 36% |

\`\`\`python
def litres(rain_mm, roof_m2=42):
    return roof_m2 * rain_mm * 0.9  # kept
\`\`\`

> [!warning] Frost
> Bring the *last* ones in.

> [!tip]- Folded
> Hidden words

- [x] measure the roof
- [ ] buy a butt

![[Garden/Beans]]

![[Pictures/red.png|120]]

%%not shown%%

[^1]: As in [[Garden/Beans]].
`

let browser: Browser
let place: Stage
let model: ModelServer
let served: ServedPage
let page: Page
let troubles: string[]
let goOn = (_rest: string) => {}

openForTests(async () => {
  place = await stage()
  await mkdir(`${place.vault}/Pictures`, { recursive: true })
  await writeFile(`${place.vault}/Pictures/red.png`, redPng(240, 160))
  const rest = new Promise<string>((resolve) => {
    goOn = resolve
  })
  model = await modelServer({ say: everything }, { stall: '## Beans\n\nThe **first** one.\n\n- a **bo', until: rest })
  const environment = { ...place.environment, ...model.environment }
  ;[browser, served] = await Promise.all([
    openBrowser(),
    servePage({ ...place, environment }, ['-m', 'compatible/test']),
  ])
  ;({ page, troubles } = await comeIn(browser, served, { viewport: { width: 1440, height: 900 } }))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return {
    async close() {
      await browser.close()
      await served.stop()
      await model.stop()
      await place.remove()
    },
  }
})

beforeEach(async () => {
  if ((await page.locator('.nw-turn').count()) > 0) return
  await ask(page, 'How much rain?')
  await page.locator('.nw-turn-foot').waitFor()
})

/** Pictures of the screen for a person to look at, where a folder for them is named. */
async function picture(name: string): Promise<void> {
  const folder = process.env.NOTEWRIGHT_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}

const prose = () => page.locator('.nw-turn .nw-prose').first()

describe('Markdown of an answer', () => {
  it('is drawn as Obsidian draws it, under the policy of the page', async () => {
    await prose().locator('.hljs-keyword').first().waitFor()
    await expect.poll(() => prose().locator('math').count()).toBe(2)
    expect(await prose().locator('math').first().getAttribute('aria-label')).toBe('A = 6 \\cdot 7')
    expect(await prose().innerText()).toContain('It costs $5 and $6.')
    expect(await prose().innerText()).not.toContain('not shown')
    await prose().locator('.nw-embed').getByText('nitrogen').first().waitFor()
    await prose().locator('img.nw-embedded-picture').waitFor()
    expect(await prose().locator('img.nw-embedded-picture').getAttribute('width')).toBe('120')
    expect(await prose().locator('td.nw-end').first().innerText()).toBe('15%')
    expect(await prose().locator('input[type=checkbox]:checked').count()).toBe(1)
    expect(troubles).toEqual([])
  })

  it('has callouts that fold, and footnotes that lead there and back', async () => {
    const callout = prose().getByRole('button', { name: 'Folded' })
    expect(await prose().getByText('Hidden words').count()).toBe(0)
    await callout.focus()
    await page.keyboard.press('Enter')
    await prose().getByText('Hidden words').waitFor()
    await prose().getByRole('button', { name: 'Footnote 1', exact: true }).click()
    const focused = () => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)
    await expect.poll(focused).toBe('Back to the mention of footnote 1')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Footnote 1')
  })

  it('is copied as Markdown, and code by itself', async () => {
    const copied = () => page.evaluate('navigator.clipboard.readText()')
    await page.locator('.nw-turn').first().getByRole('button', { name: 'Copy answer' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await copied()).toBe(everything.trim())
    await prose().locator('.nw-code').first().getByRole('button', { name: 'Copy code' }).click()
    await expect.poll(copied).toContain('return roof_m2 * rain_mm * 0.9')
    expect(await copied()).not.toContain('```')
  })

  it.each(['light', 'dark'] as const)('has no violation of the rules for access in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeViolations(page)).toEqual([])
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const [at, selector] of ['h3', '.nw-code', '.nw-embed'].entries()) {
        await prose()
          .locator(selector)
          .first()
          .evaluate((element) => element.scrollIntoView({ block: 'start' }))
        await picture(`markdown-${colorScheme}-${width}-${at}`)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  })

  it('keeps the elements of finished blocks while more text arrives', async () => {
    await newChat(page)
    await ask(page, 'And beans?')
    await prose().locator('li strong').waitFor()
    // Shown as it will be, and not as the marks it is written with.
    expect(await prose().locator('li').innerText()).toBe('a bo')
    await page.evaluate(`document.querySelectorAll('.nw-prose > *').forEach((element, at) => { element.seen = at })`)
    goOn('ld** word\n- another\n\n> [!note] Last\n> words\n')
    await page.locator('.nw-turn-foot').waitFor()
    expect(await prose().locator('li').first().innerText()).toBe('a bold word')
    expect(
      await page.evaluate(`[...document.querySelectorAll('.nw-prose > *')].map(({ seen }) => seen ?? null)`),
    ).toEqual([0, 1, 2, null])
    expect(troubles).toEqual([])
  })
})
