import { join } from 'node:path'
import { pageScript } from '../../scripts/bundle.mjs'
import { openBrowser } from '../browser/open-browser.js'
import type { InBrowser } from './page.js'

/** Indexes notes in a Web Worker whose page has the vault. `folder` is the one this file lies in. */
export async function indexedInChromium(
  folder: string,
  notes: Record<string, string>,
  queries: string[],
): Promise<InBrowser> {
  const answers: Record<string, { contentType: string; body: string }> = {
    '/': { contentType: 'text/html', body: '<!doctype html><script type="module" src="page.js"></script>' },
    '/given.json': { contentType: 'application/json', body: JSON.stringify({ notes, queries }) },
    ...(await scripts(folder)),
  }
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.route('**/*', (route) => {
      const answer = answers[new URL(route.request().url()).pathname]
      return answer === undefined ? route.abort() : route.fulfill(answer)
    })
    await page.goto('http://notes.test/')
    return await page.evaluate('indexNotes()')
  } finally {
    await browser.close()
  }
}

async function scripts(folder: string) {
  const scriptOf = async (name: string) =>
    [
      `/${name}.js`,
      { contentType: 'text/javascript', body: await pageScript(join(folder, `${name}.ts`), { format: 'esm' }) },
    ] as const
  return Object.fromEntries(await Promise.all(['page', 'worker'].map(scriptOf)))
}
