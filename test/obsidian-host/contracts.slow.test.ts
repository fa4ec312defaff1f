import { join } from 'node:path'
import { describe, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import type { PageResult } from './in-page/vitest.js'
import { openHost, pageScript } from './open-host.js'

const suites = {
  'our own host of the app': 'app-contract',
  'in Obsidian, in a real browser,': 'contracts',
  'of what the plugin has in Obsidian,': 'host-parts',
}
const results = await inChromium()

// The page has already checked each promise; this reports the results.
for (const [title, suite] of Object.entries(suites)) {
  describe(title, () => {
    for (const { name, error } of results[suite]) {
      it(name, () => {
        if (error !== undefined) throw new Error(error)
      })
    }
  })
}

async function inChromium(): Promise<Record<string, PageResult[]>> {
  const browser = await openBrowser()
  try {
    const found: Record<string, PageResult[]> = {}
    for (const suite of Object.values(suites)) {
      const script = await pageScript(join(import.meta.dirname, `in-page/${suite}.ts`))
      const host = await openHost(browser, { script })
      await host.page.evaluate('host.open("first")')
      found[suite] = await host.page.evaluate('runContracts()')
      await host.close()
    }
    return found
  } finally {
    await browser.close()
  }
}
