import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { loopback } from '../providers/loopback.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { backToChat, comeIn, servePage, showView } from './served-page.js'

let browser: Browser
let place: Stage
let home: string

beforeAll(async () => {
  place = await stage()
  home = place.environment.HOME
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await place?.remove()
})

describe('a first run without a vault', () => {
  it('offers found vaults and a copy of the sample, and answers without a key', async () => {
    await mkdir(join(home, 'Journal'))
    await mkdir(join(home, '.config/obsidian'), { recursive: true })
    const vaults = { a: { path: join(home, 'Journal'), ts: 1 }, b: { path: place.vault, ts: 2 } }
    await writeFile(join(home, '.config/obsidian/obsidian.json'), JSON.stringify({ vaults }))
    const served = await servePage(place, [], { cwd: home })
    const { context, page, troubles } = await comeIn(browser, served)
    const words = await page.innerText('main')
    expect(words).toContain(join(home, 'Journal'))
    expect(words).toContain(place.vault)
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Another folder').fill('~/nowhere')
    await page.getByRole('button', { name: 'Use this folder' }).click()
    await page.getByText('Vault folder not found').waitFor()

    await page.getByRole('button', { name: /sample vault/ }).click()
    await page.locator('.page-welcome').waitFor()
    expect(existsSync(join(home, 'Notewright sample/Home.md'))).toBe(true)
    expect(await page.innerText('.page-welcome')).toContain('answers are quotes from your notes')
    await page.locator('.page-ask').first().click()
    await page.locator('.nw-turn-foot').waitFor()
    expect(await page.locator('.nw-chip').count()).toBeGreaterThan(0)
    await page.reload()
    await page.locator('.nw-turn-foot').waitFor()
    expect(troubles).toEqual([])
    expect((await place.json('config', 'get', 'model')).value).toMatchObject({ source: 'default' })
    await context.close()
    await served.stop()
  })

  it('says what to do if there is no note yet, and finds the first one', async () => {
    const empty = await stage()
    await rm(empty.vault, { recursive: true })
    await mkdir(empty.vault)
    const served = await servePage(empty)
    const { context, page } = await comeIn(browser, served)
    await page.getByText('No notes in this folder yet.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await showView(page, 'Activity')
    await page.getByText('No activity yet').waitFor()
    await showView(page, 'Chats')
    await page.getByText('No chats yet').waitFor()
    await backToChat(page)
    await empty.write('First.md', '# First\n\nA note.\n')
    await page.getByText('1 note.').waitFor()
    await context.close()
    await served.stop()
    await empty.remove()
  })

  it('asks only the provider that is refreshed', async () => {
    const asked = { OLLAMA_HOST: 0, LMSTUDIO_BASE_URL: 0 }
    const names = ['OLLAMA_HOST', 'LMSTUDIO_BASE_URL'] as const
    const servers = await Promise.all(
      names.map((name) =>
        loopback((response) => {
          asked[name]++
          response.writeHead(503).end()
        }),
      ),
    )
    const environment = {
      ...place.environment,
      ...Object.fromEntries(names.map((name, at) => [name, servers[at].url])),
    }
    const served = await servePage({ ...place, environment })
    const { context, page } = await comeIn(browser, served)
    const refresh = page.getByRole('button', { name: 'Refresh Ollama' })
    await refresh.waitFor()
    const before = { ...asked }
    const answered = page.waitForResponse(/providers\/ollama\/test$/)
    await refresh.click()
    await answered
    expect(asked.OLLAMA_HOST).toBeGreaterThan(before.OLLAMA_HOST)
    expect(asked.LMSTUDIO_BASE_URL).toBe(before.LMSTUDIO_BASE_URL)
    await context.close()
    await served.stop()
    for (const server of servers) await server.stop()
  })

  it('reads well on a phone, in the dark and with large text', async () => {
    const served = await servePage(place, [], { cwd: home })
    const { context, page } = await comeIn(browser, served, {
      viewport: { width: 320, height: 700 },
      colorScheme: 'dark',
    })
    for (const size of ['100%', '200%']) {
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
      expect(await axeViolations(page)).toEqual([])
      expect(await overflow(page)).toBeLessThanOrEqual(0)
    }
    await context.close()
    await served.stop()
  })

  it('remembers a folder', async () => {
    const served = await servePage(place, [], { cwd: home })
    const { context, page } = await comeIn(browser, served)
    await page.getByRole('button', { name: new RegExp(place.vault) }).click()
    await page.locator('.page-welcome').waitFor()
    await context.close()
    await served.stop()
    const { stdout } = await place.run(['config', 'get', 'vault', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ value: place.vault, source: 'file' })
    const again = await servePage(place, [], { cwd: home })
    const second = await comeIn(browser, again)
    await second.page.locator('.page-welcome').waitFor()
    await second.context.close()
    await again.stop()
  })
})
