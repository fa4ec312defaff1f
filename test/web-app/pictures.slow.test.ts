import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { openForTests } from '../browser/open-for-tests.js'
import { redPng } from '../browser/red-png.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { type ModelServer, modelServer } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { ask, comeIn, newChat, type ServedPage, servePage } from './served-page.js'

let browser: Browser
let place: Stage
let model: ModelServer
let served: ServedPage
let context: BrowserContext
let page: Page
let troubles: string[]

openForTests(async () => {
  ;[browser, place] = await Promise.all([openBrowser(), stage()])
  model = await modelServer(
    { say: 'A red square.' },
    { call: [{ name: 'view_file', input: { path: 'Plots/plan.png' } }] },
    { say: 'A plan.' },
  )
  await place.run(['config', 'set', 'models.compatible/test.pictures', 'true'])
  await mkdir(join(place.vault, 'Plots'), { recursive: true })
  await writeFile(join(place.vault, 'Plots/plan.png'), redPng(40, 30))
  // A title would be asked of the model too, between the turns.
  const quiet = { NOTEWRIGHT_SESSIONS_AUTO_TITLE: 'false' }
  const environment = { ...place.environment, ...model.environment, ...quiet }
  served = await servePage({ ...place, environment }, ['-m', 'compatible/test'])
  ;({ context, page, troubles } = await comeIn(browser, served))
  return {
    async close() {
      await browser.close()
      await served.stop()
      await model.stop()
      await place.remove()
    },
  }
})

/** As the user brings one along: dropped on the field, or pasted into it. */
const bring = (page: Page, how: 'drop' | 'paste', name: string, bytes: Uint8Array) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(${JSON.stringify([...bytes])})], ${JSON.stringify(name)}, { type: 'image/png' }))
    const options = { bubbles: true, cancelable: true }
    const field = document.querySelector('.nw-composer textarea')
    field.dispatchEvent(
      ${how === 'drop'} ? new DragEvent('drop', { dataTransfer: data, ...options }) : new ClipboardEvent('paste', { clipboardData: data, ...options }),
    )
  })()`)

/** Those that are drawn, by name and size. */
const drawn = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('.nw-turn img')].filter((one) => one.complete && one.naturalWidth > 0)
    .map((one) => one.alt + ' ' + one.naturalWidth + '×' + one.naturalHeight)`)

beforeEach(async () => {
  if (model.prompts().length > 0) return
  await bring(page, 'drop', 'dropped.png', redPng(20, 10))
  await page.getByRole('button', { name: 'Remove dropped.png' }).waitFor()
  await bring(page, 'paste', 'pasted.png', redPng(30, 10))
  await page.getByRole('button', { name: 'Remove pasted.png' }).waitFor()
  await ask(page, 'What is this?')
  await page.getByText('A red square.').waitFor()
})

describe('pictures', () => {
  it('that are dropped or pasted are in the conversation, after a reload and in a second tab', async () => {
    expect(JSON.stringify(model.prompts())).toContain(Buffer.from(redPng(20, 10)).toString('base64'))
    const all = ['dropped.png 20×10', 'pasted.png 30×10']
    await expect.poll(() => drawn(page)).toEqual(all)
    expect(await axeViolations(page)).toEqual([])

    await page.reload()
    await expect.poll(() => drawn(page)).toEqual(all)
    const second = await context.newPage()
    await second.goto(page.url())
    await expect.poll(() => drawn(second)).toEqual(all)
    expect(troubles).toEqual([])
  })

  it('have addresses only for this page, which end when they are no longer shown', async () => {
    await expect.poll(async () => ((await drawn(page)) as string[]).length).toBe(2)
    const shown = (await page.evaluate(
      `[...document.querySelectorAll('.nw-turn img')].map((one) => one.src)`,
    )) as string[]
    expect(shown.map((address) => address.startsWith(`blob:${served.url}/`))).toEqual([true, true])
    const loads = (address: string) =>
      page.evaluate(`new Promise((resolve) => {
        const image = new Image()
        image.onload = () => resolve(true)
        image.onerror = () => resolve(false)
        image.src = ${JSON.stringify(address)}
      })`)
    expect(await Promise.all(shown.map(loads))).toEqual([true, true])
    await newChat(page)
    await expect.poll(() => Promise.all(shown.map(loads))).toEqual([false, false])
  })

  it('that the model viewed are shown unchanged, or reported as gone', async () => {
    await newChat(page)
    await ask(page, 'Look at the plan')
    await page.getByText('A plan.').waitFor()
    await expect.poll(() => drawn(page)).toEqual(['Plots/plan.png 40×30'])
    await rm(join(place.vault, 'Plots/plan.png'))
    await page.reload()
    await page.getByText('it is no longer there').waitFor()
    expect(await drawn(page)).toEqual([])
  })

  it('are not served to others, and only pictures are served', async () => {
    const status = (path: string) => page.evaluate(`apiFetch(${JSON.stringify(path)}).then(({ status }) => status)`)
    const none = '0'.repeat(64)
    expect(await status(`sessions/x/pictures/${none}`)).toBe(404)
    expect(await status(`sessions/x/pictures/${none}?path=Home.md`)).toBe(404)
    expect(await status(`sessions/x/pictures/${none}?path=../secret.png`)).toBe(400)
    expect((await fetch(`${served.url}/api/sessions/x/pictures/${none}`)).status).toBe(401)
  })
})
