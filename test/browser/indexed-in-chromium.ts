import { join } from 'node:path'
import { build } from 'esbuild'
import { openBrowser } from './open-browser.js'
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
  const { outputFiles } = await build({
    entryPoints: ['page', 'worker'].map((name) => join(folder, `${name}.ts`)),
    bundle: true,
    splitting: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: folder,
    write: false,
    logLevel: 'silent',
  })
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => [
      `/${path.split(/[\\/]/).at(-1)}`,
      { contentType: 'text/javascript', body: text },
    ]),
  )
}
