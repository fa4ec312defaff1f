import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { ask, comeIn, type ServedPage, servePage } from './served-page.js'

let browser: Browser
let place: Stage
let served: ServedPage
let page: Page
let troubles: string[]
const loaded: string[] = []

beforeAll(async () => {
  place = await stage()
  await place.write('Fungi.md', 'Nothing is worse than late blight, says everybody who has tomatoes.\n')
  await place.write('Late blight.md', 'Phytophthora, a mould.\n')
  await place.write('Diseases.md', 'Plant diseases, an overview: [[Late blight]] and [[Rust]].\n')
  await place.write('Rust.md', 'Orange spots. See [[Late blight]].\n')
  ;[browser, served] = await Promise.all([openBrowser(), servePage(place)])
  ;({ page, troubles } = await comeIn(browser, served, { viewport: { width: 320, height: 800 } }))
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
})
afterAll(async () => {
  await browser?.close()
  await served?.stop()
  await place?.remove()
})

async function openNote(words: string, title: string): Promise<void> {
  if ((await page.locator('.page-side').count()) > 0) await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByLabel('Search your notes').fill(words)
  await page.locator('.nw-hit-title', { hasText: title }).first().click()
  await page.waitForSelector('.nw-note')
}

describe('a note in the page', () => {
  it('shows related notes with their reasons, and they open', async () => {
    await openNote('worse than blight', 'Fungi')
    const related = page.locator('.nw-related li', { hasText: 'Late blight' })
    await related.waitFor()
    expect(await related.innerText()).toContain('“late blight” stands here without a link')
    expect(await axeViolations(page)).toEqual([])
    await related.getByRole('button').click()
    await page.waitForSelector('h2:has-text("Late blight.md")')
  })

  it('shows its graph when it is asked for, as a picture and as a list that the keyboard reaches', async () => {
    await openNote('plant diseases overview', 'Diseases')
    expect(loaded.filter((path) => path.startsWith('/graph'))).toEqual([])
    await page.getByRole('button', { name: 'Graph', exact: true }).last().click()
    await page.waitForSelector('canvas[data-rests]')
    expect(loaded.filter((path) => path.startsWith('/graph'))).toHaveLength(1)
    expect(await page.getByRole('img', { name: '3 notes and 3 links' }).count()).toBe(1)
    const rows = page.locator('.nw-graph-list li')
    expect(await rows.allInnerTexts()).toEqual([
      'Diseases this note, 2 links shown',
      'Late blight linked from here, 2 links shown',
      'Rust linked from here, 2 links shown',
    ])
    expect(await axeViolations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await rows.nth(2).getByRole('button').focus()
    expect(await page.innerText('.nw-graph [role=status]')).toBe('Rust: linked from here')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h2:has-text("Rust.md")')
  })

  it('lets a note of the picture be clicked', async () => {
    await openNote('orange spots', 'Rust')
    await page.getByRole('button', { name: 'Graph', exact: true }).last().click()
    await page.waitForSelector('canvas[data-rests]')
    const canvas = page.locator('canvas')
    await canvas.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await canvas.boundingBox())!
    // Where the pointer meets a note is told in words below the picture.
    const said = page.locator('.nw-graph [role=status]')
    let found = false
    for (let right = 10; right < width && !found; right += 20) {
      for (let down = 10; down < height && !found; down += 20) {
        await page.mouse.move(x + right, y + down)
        found = (await said.innerText()).startsWith('Late blight:')
      }
    }
    expect(found).toBe(true)
    await page.mouse.down()
    await page.mouse.up()
    await page.waitForSelector('h2:has-text("Late blight.md")')
    await page.keyboard.press('Escape')
  })
})

describe('a conversation', () => {
  it('shows the notes that it touched', async () => {
    await page.getByRole('button', { name: 'Chat', exact: true }).click()
    await ask(page, 'When does late blight come?')
    await page.locator('.nw-turn-foot').first().waitFor()
    await page.getByRole('button', { name: 'Graph', exact: true }).first().click()
    await page.waitForSelector('.nw-graph-list li')
    expect(await page.innerText('.nw-graph-list')).toMatch(/cited|seen/)
    expect(await axeViolations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
  })
})
