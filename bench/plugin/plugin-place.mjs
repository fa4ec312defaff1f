// The released plugin in Chromium, in our host of the app, over notes that lie in the page itself.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pageScript } from '../../scripts/bundle.mjs'
import { repository } from '../data.mjs'

const host = join(repository, 'test', 'obsidian-host', 'app')
const place = '.obsidian/plugins/notewright'

/** Serves the app's page and a vault. `release` holds the plugin's three files, `eager` its script with nothing left for later. */
export async function servePlugin(notes, release, eager) {
  const ofPlugin = (name) => readFileSync(join(release, name), 'utf8')
  const plugin = Object.fromEntries(
    ['main.js', 'manifest.json', 'styles.css'].map((name) => [`${place}/${name}`, ofPlugin(name)]),
  )
  const files = {
    '/': ['text/html', '<!doctype html><html lang="en"><title>Obsidian</title><body class="theme-light">'],
    '/app.js': ['text/javascript', await pageScript(join(host, 'main.ts'))],
    '/app.css': ['text/css', readFileSync(join(host, 'app.css'), 'utf8')],
    '/vault.json': ['application/json', JSON.stringify({ ...plugin, ...notes })],
    '/empty-vault.json': ['application/json', JSON.stringify(plugin)],
    '/late.js': ['text/plain', plugin[`${place}/main.js`]],
    '/eager.js': ['text/plain', eager],
  }
  const server = createServer((request, response) => {
    const found = files[request.url]
    if (found === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': `${found[0]}; charset=utf-8` }).end(found[1])
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A page with the vault open and the plugin not yet switched on. */
export async function openPage(context, address, filesAt = '/vault.json') {
  const page = await context.newPage()
  await page.goto(address)
  await page.addScriptTag({ url: '/app.js' })
  await page.addStyleTag({ url: '/app.css' })
  await page.evaluate(noteWorkers)
  await page.evaluate((at) => host.open('bench', { filesAt: at }), filesAt)
  return page
}

/** Notes when the plugin's workers begin and end, without asking it anything. */
function noteWorkers() {
  const Real = Worker
  globalThis.workers = []
  globalThis.Worker = class extends Real {
    constructor(...given) {
      super(...given)
      this.times = { begun: performance.now() }
      workers.push(this.times)
    }
    terminate() {
      this.times.ended ??= performance.now()
      super.terminate()
    }
  }
}

/** Seconds of the processor that the browser has used so far, by kind of process. */
export async function processorTime(browser) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const seconds = { all: 0, renderer: 0, browser: 0 }
  for (const { type, cpuTime } of processInfo) {
    seconds.all += cpuTime
    if (type in seconds) seconds[type] += cpuTime
  }
  return seconds
}
