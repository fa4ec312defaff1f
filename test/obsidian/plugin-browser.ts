import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { removeRelease } from './plugin-page.js'

/** One browser for the tests of a file. It is closed after them, and the release they ran is removed. */
export function pluginBrowser(): Pick<Browser, 'newContext'> {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await removeRelease()
  })
  return {
    async newContext(options) {
      if (browser === undefined) throw new Error('The browser is there for tests, and not before.')
      return browser.newContext(options)
    },
  }
}
