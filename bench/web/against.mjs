// `node bench/web/against.mjs ../before [--rounds 10]`: until the page accepts text, for this checkout and another one, in
// turn, each with a warm server of its own on a copy of the sample vault. Both must be built (`npm run build`).
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'
import { median } from '../statistics.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '10' } },
})
const before = resolve(positionals[0] ?? '../before')
const { openBrowser } = await bundled('test/browser/open-browser.ts')
const folder = mkdtempSync(join(tmpdir(), 'notewright-bench-against-'))
const browser = await openBrowser()
const places = []
try {
  for (const [name, checkout] of [
    ['before', before],
    ['now', repository],
  ])
    places.push({ name, times: [], ...(await opened(name, checkout)) })
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const { page, url, times } of places) {
      await page.goto(`${url}/?${round}`)
      await page.waitForFunction(() => window.readyAt)
      // The first round warms up.
      if (round > 0) times.push(await page.evaluate('window.readyAt'))
    }
  const [old, now] = places.map(({ times }) => median(times))
  for (const { name, times } of places)
    console.log(
      `${name.padEnd(8)} interactive after ${median(times).toFixed(0)} ms (${times.map(Math.round).join(', ')})`,
    )
  console.log(`now / before: ${(now / old).toFixed(2)}, at most 1.1; load ${loadavg()[0].toFixed(1)}`)
} finally {
  await browser.close()
  for (const { child } of places) child.kill('SIGINT')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

async function opened(name, checkout) {
  const vault = join(folder, name, 'vault')
  cpSync(join(repository, 'examples/vault'), vault, { recursive: true })
  const words = ['web', '--no-open', '--json', '--port', '0', '-m', 'offline', '--vault', vault]
  const child = spawn(process.execPath, [join(checkout, 'dist/notewright.js'), ...words], {
    env: { ...process.env, NOTEWRIGHT_HOME: join(folder, name, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const link = JSON.parse(await new Promise((done) => child.stdout.once('data', done))).url
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } })
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      // The composer, or the field for the question of earlier versions.
      if (document.querySelector('.nw textarea') === null) return
      window.readyAt = performance.now()
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(link)
  await page.waitForFunction(() => window.readyAt)
  return { child, page, url: new URL(link).origin }
}
