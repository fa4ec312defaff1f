import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { median } from '../statistics.mjs'

/** Measures the bytes that the page loads, and the time until its input accepts text, with a warm server. */
export async function measureLoad({ page, url }) {
  const folder = fileURLToPath(new URL('../../dist/web/', import.meta.url))
  const bytes = readdirSync(folder).reduce((sum, name) => sum + gzipSync(readFileSync(folder + name)).length, 0)
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('.nw-composer textarea') === null) return
      window.readyAt = performance.now()
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  const times = []
  for (let time = 0; time < 10; time++) {
    await page.goto(`${url}/?${time}`)
    await page.waitForFunction(() => window.readyAt)
    times.push(await page.evaluate('window.readyAt'))
  }
  return {
    'first load, gzip (kB, at most 90)': bytes / 1000,
    'interactive, warm server, median of 10 (ms, at most 1000)': median(times),
  }
}
