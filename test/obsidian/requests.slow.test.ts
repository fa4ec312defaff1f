import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { modelFront } from './model-front.js'
import { ask, openPlugin, removeRelease } from './plugin-page.js'

afterAll(removeRelease)

interface NetLog {
  constants: { logEventTypes: Record<string, number> }
  events: { type: number; params?: { url?: string; initiator?: string } }[]
}

const notes = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`Note ${at}.md`, `# Note ${at}\n\nBeans and soil, see [[Note ${at + 1}]].\n`]),
)

/** Addresses that the page or its workers asked for, as the browser itself wrote them down. */
async function requestsOf(file: string, origin: string): Promise<string[]> {
  const { constants, events }: NetLog = JSON.parse(await readFile(file, 'utf8'))
  const started = constants.logEventTypes.URL_REQUEST_START_JOB
  const urls = events.flatMap(({ type, params }) =>
    type === started && params?.initiator === origin ? (params.url ?? []) : [],
  )
  return urls.filter((url) => !url.startsWith('blob:'))
}

describe('the plugin, by the network log of the browser', () => {
  it('sends no request before the user asks, and then only to the chosen server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notewright-log-'))
    const front = await modelFront([{ say: 'Done.' }])
    try {
      const quiet = await logged(join(folder, 'quiet.json'), false)
      expect(quiet.others).toEqual([])
      expect(quiet.toFront).toEqual([])
      expect(front.model.requests).toEqual([])
      const asked = await logged(join(folder, 'asked.json'), true)
      expect(asked.others).toEqual([])
      expect(asked.toFront.length).toBeGreaterThan(0)
    } finally {
      await front.stop()
      await rm(folder, { recursive: true, force: true })
    }

    async function logged(file: string, isAsked: boolean) {
      const browser = await openBrowser([`--log-net-log=${file}`])
      const plugin = await openPlugin(browser, { files: notes, data: front.data })
      const { page } = plugin
      const origin = await page.evaluate('location.origin')
      for (const pane of ['open-chat', 'search-notes', 'related-notes', 'open-activity']) await plugin.run(pane)
      await page.evaluate('host.app.workspace.openLinkText("Note 1.md", "")')
      await page.evaluate('host.openSettings()')
      await page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
      await page.evaluate('host.app.cli.get("notewright:search")({ query: "beans" })')
      await plugin.write('Note 2.md', 'Quinces.\n')
      await page.evaluate('host.closeSettings()')
      await expect
        .poll(() => page.evaluate('host.app.cli.get("notewright:search")({ query: "quinces" })'))
        .toMatch(/Note 2/)
      if (isAsked) {
        await ask(plugin, 'Hello')
        await page.locator('.nw-log').getByText('Done.').last().waitFor()
      }
      await plugin.close()
      await browser.close()
      const urls = await requestsOf(file, String(origin))
      const toFront = urls.filter((url) => url.startsWith(front.url))
      return { toFront, others: urls.filter((url) => !url.startsWith(front.url) && !url.startsWith(String(origin))) }
    }
  })
})
