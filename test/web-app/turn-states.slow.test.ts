import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { type ModelServer, modelServer, type Prompt, type Said } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { ask, comeIn, newChat, type ServedPage, servePage } from './served-page.js'

const many = 60

/** Replies to each question, in order; the last one is repeated. */
const replies: Record<string, Said[]> = {
  'Where is it cut?': [
    { status: 429, error: 'Too many requests' },
    { status: 429, error: 'Too many requests' },
    { say: 'See [[Garden/Compost#^hot-enough]]. "It read 61 °C on the fourth day." [[Garden/Compost#Temperature]]' },
  ],
  'Read both': [
    { call: [{ name: 'file_read', input: { filePaths: ['Garden/Compost.md', 'Home.md'] } }] },
    { say: 'Read.' },
  ],
  'Mark them': [
    {
      call: [
        {
          name: 'change_notes',
          input: { folder: 'Many', operations: [{ op: 'set_property', property: 'seen', value: true }] },
        },
      ],
    },
    { say: 'Changed.' },
  ],
  'Anything?': [{ status: 503, error: 'Down for maintenance' }],
}

function reply({ messages, tools }: Prompt): Said {
  // A request for a title has no tools.
  if (tools === undefined) return { say: 'A title' }
  const text = JSON.stringify(messages)
  const question = Object.keys(replies).find((one) => text.includes(one))
  const left = replies[question ?? ''] ?? [{ say: 'Nothing.' }]
  return left.length > 1 ? left.shift()! : left[0]!
}

let browser: Browser
let place: Stage
let model: ModelServer
let served: ServedPage
let page: Page
let troubles: string[]

beforeAll(async () => {
  place = await stage()
  await place.write(
    'Garden/Compost.md',
    '# Compost\n\n## Temperature\n\nIt read 61 °C on the fourth day. ^hot-enough\n',
  )
  for (let at = 0; at < many; at++) await place.write(`Many/Note ${at}.md`, `# Note ${at}\n\nText.\n`)
  model = await modelServer(reply)
  const environment = { ...place.environment, ...model.environment }
  ;[browser, served] = await Promise.all([
    openBrowser(),
    servePage({ ...place, environment }, ['-m', 'compatible/test']),
  ])
  ;({ page, troubles } = await comeIn(browser, served, { viewport: { width: 1440, height: 900 } }))
})
afterAll(async () => {
  await browser?.close()
  await served?.stop()
  await model?.stop()
  await place?.remove()
})

async function picture(name: string): Promise<void> {
  const folder = process.env.NOTEWRIGHT_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}

const lastTurn = () => page.locator('.nw-turn').last()
const done = () => lastTurn().locator('.nw-turn-foot').waitFor()

describe('a turn in the page', () => {
  it('names the vault and its folder', async () => {
    const vault = page.locator('.page-vault')
    expect(await vault.getAttribute('title')).toBe(place.vault)
    expect(await vault.innerText()).toContain(place.vault)
  })

  it('counts a retry down, with its reason, its number and Stop, and keeps one line of it', async () => {
    await ask(page, 'Where is it cut?')
    const wait = lastTurn().locator('.nw-failure-wait')
    await wait.getByText('Rate limited by').waitFor()
    expect(await wait.innerText()).toMatch(/Trying again (?:in \d+ s|now) \([12] of \d\)/)
    await wait.getByRole('button', { name: 'Stop' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await picture('retry')
    await done()
    await lastTurn()
      .getByText(/^Rate limited by .* Tried again \(2 of \d\)\.$/)
      .waitFor()
    expect(await wait.count()).toBe(0)
  })

  it('names sources by their title, and hides the names of blocks', async () => {
    const sources = lastTurn().locator('.nw-sources .nw-chip')
    await expect.poll(() => sources.count()).toBe(2)
    const names = await sources.allInnerTexts()
    expect(names.map((name) => name.replace(/\s+/g, ' ').trim())).toEqual(['1 Compost', '2 Compost › Temperature'])
    expect(await sources.last().getAttribute('title')).toBe('Garden/Compost.md:5')
    expect(await lastTurn().innerText()).not.toContain('hot-enough')
    await sources.first().click()
    const pane = page.locator('.nw-note')
    await pane.getByText('It read 61 °C on the fourth day.').waitFor()
    expect(await pane.innerText()).not.toContain('hot-enough')
    await picture('sources')
    await page.keyboard.press('Escape')
  })

  it('says why whole notes are shared by choice', async () => {
    await newChat(page)
    await ask(page, 'Read both')
    const panel = page.locator('[data-panel]')
    await panel
      .getByText(
        'Notes requested together are shared in full, so you choose which. Reading notes one at a time needs no approval.',
      )
      .waitFor()
    await picture('share')
    await panel.getByRole('button', { name: /^Share 2 of 2/ }).click()
    await panel.waitFor({ state: 'detached' })
    await done()
  })

  it('reports how many notes of a large change are done, and offers one undo', async () => {
    await newChat(page)
    await ask(page, 'Mark them')
    const panel = page.locator('[data-panel]')
    await panel.getByRole('button', { name: `Apply ${many} changes` }).click()
    await done()
    expect(await place.read('Many/Note 7.md')).toContain('seen: true')
    const session = new URL(page.url()).hash.replace(/.*session=/, '')
    const events = (await page.evaluate(`(async () => {
      const { body } = await apiFetch('events?follow=${session}:0')
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('"run-end"')) text += (await reader.read()).value
      await reader.cancel()
      return text
    })()`)) as string
    const told = [...events.matchAll(/"text":"Changing notes","done":(\d+),"total":(\d+)/g)].map(([, at, of]) => [
      Number(at),
      Number(of),
    ])
    expect(told.length).toBeGreaterThan(2)
    expect(told.at(-1)).toEqual([many, many])
    expect(await lastTurn().getByRole('button', { name: /^Undo/ }).count()).toBe(1)
    await picture('changed')
  })

  it('can be stopped while it waits for a retry', async () => {
    await newChat(page)
    await ask(page, 'Anything?')
    await lastTurn().locator('.nw-failure-wait').getByRole('button', { name: 'Stop' }).click()
    await lastTurn().getByText('Stopped. Changes already made are kept.').waitFor()
    expect(troubles).toEqual([])
  })

  it('without a model leads to the settings instead of naming a command', async () => {
    await newChat(page)
    await page.getByRole('button', { name: /^Model:/ }).click()
    await page.getByRole('menuitemradio', { name: /^No model/ }).click()
    await ask(page, 'how hot must compost get?')
    await done()
    expect(await lastTurn().innerText()).toContain('No language model is configured')
    expect(await lastTurn().innerText()).not.toMatch(/notewright |-m /)
    await picture('offline')
    await lastTurn().getByRole('button', { name: 'Settings → Models' }).click()
    await page.getByRole('heading', { name: 'Models' }).first().waitFor()
  })
})
