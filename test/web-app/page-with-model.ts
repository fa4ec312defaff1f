import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { type ModelServer, modelServer, type Said } from '../e2e/model-server.js'
import type { Check } from '../security/security-case.js'
import { comeIn, indexed, servePage, showView } from './served-page.js'

let browser: Promise<Browser> | undefined

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
}

/** The page with a scripted model. */
export function onPage(
  name: string,
  script: Said[],
  run: (page: Page, place: Stage, requests: string[], model: ModelServer) => Promise<void>,
): Check {
  return {
    name,
    async run() {
      browser ??= openBrowser()
      const [place, model]: [Stage, ModelServer] = await Promise.all([stage(), modelServer(...script)])
      const served = await servePage({ ...place, environment: { ...place.environment, ...model.environment } }, [
        '-m',
        'compatible/test',
      ])
      const requests: string[] = []
      const { context, page } = await comeIn(await browser, served)
      context.on('request', (request) => requests.push(request.url()))
      try {
        await run(page, place, requests, model)
      } finally {
        await context.close()
        await served.stop()
        await model.stop()
        await place.remove()
      }
    },
  }
}

export async function unfold(page: Page): Promise<void> {
  await page.evaluate(
    `for (let at = 0; at < 4; at++) for (const one of document.querySelectorAll('[aria-expanded="false"]')) one.click()`,
  )
}

export async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate('typeof window.__x')).toBe('undefined')
  expect(await page.locator('.nw img, .nw iframe, .nw script, .nw video, .nw link, .nw svg image').count()).toBe(0)
}

/** The note that holds the word, once the index has seen it. */
export async function openFound(page: Page, word: string): Promise<void> {
  await indexed(page, '"path"', word)
  await showView(page, 'Search')
  await page.getByLabel('Search your notes').fill(word)
  await page.locator('.nw-hit-title').first().click()
  await page.locator('.nw-note').waitFor()
}
