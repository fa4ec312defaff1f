import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations, overflow } from '../ui/story-page.js'
import { ask, backToChat, type OpenedPage, openPage, showView } from './served-page.js'

let opened: OpenedPage
let page: Page
let troubles: string[]
const loaded: string[] = []

beforeAll(async () => {
  opened = await openPage(
    async (place) => {
      await place.write('Fungi.md', 'Nothing is worse than late blight, says everybody who has tomatoes.\n')
      await place.write('Late blight.md', 'Phytophthora, a mould.\n')
      await place.write('Diseases.md', 'Plant diseases, an overview: [[Late blight]] and [[Rust]].\n')
      await place.write('Rust.md', 'Orange spots. See [[Late blight]].\n')
    },
    { viewport: { width: 320, height: 800 } },
  )
  ;({ page, troubles } = opened)
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
})
afterAll(() => opened?.close())

async function openNote(words: string, title: string): Promise<void> {
  await showView(page, 'Search')
  await page.getByLabel('Search your notes').fill(words)
  await page.locator('.nw-hit-title', { hasText: title }).first().dblclick()
  await page.locator('.page-note .nw-note').waitFor()
}

describe('a note in the page', () => {
  it('shows related notes with their reasons, and they open', async () => {
    await openNote('worse than blight', 'Fungi')
    const related = page.getByRole('region', { name: 'Related' }).getByRole('button', { name: 'Late blight' })
    await related.waitFor()
    expect(await related.innerText()).toContain('Mentions “late blight” without a link')
    expect(await axeViolations(page)).toEqual([])
    await related.click()
    await page.getByRole('heading', { name: 'Late blight', level: 1 }).waitFor()
  })

  it('shows its graph on demand, as a picture and as a list for the keyboard', async () => {
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
    await page.getByRole('heading', { name: 'Rust', level: 1 }).waitFor()
  })

  it('opens a note that is clicked in the picture', async () => {
    await openNote('orange spots', 'Rust')
    await page.getByRole('button', { name: 'Graph', exact: true }).last().click()
    await page.waitForSelector('canvas[data-rests]')
    const canvas = page.locator('canvas')
    await canvas.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await canvas.boundingBox())!
    // The note under the pointer is named below the graph.
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
    await page.getByRole('heading', { name: 'Late blight', level: 1 }).waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('a conversation', () => {
  it('shows the notes that it touched', async () => {
    await backToChat(page)
    await ask(page, 'When does late blight come?')
    await page.locator('.nw-turn-foot').first().waitFor()
    await page.getByRole('button', { name: 'Notes in this chat' }).first().click()
    await page.waitForSelector('.nw-graph-list li')
    expect(await page.innerText('.nw-graph-list')).toMatch(/cited|seen/)
    expect(await axeViolations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
  })
})
