import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import type { Stage } from '../e2e/cli-harness.js'
import { axeViolations } from '../ui/story-page.js'
import { ask, backToChat, newChat, openPage, showView } from './served-page.js'

let place: Stage
let page: Page
let troubles: string[]

openForTests(async () => {
  const opened = await openPage((vault) =>
    vault.write(
      'House/Gutter.md',
      '# Gutter\n\n## Why does the shed gutter leak?\n\nIts seam broke in the storm of last winter.\n',
    ),
  )
  ;({ place, page, troubles } = opened)
  return opened
})
beforeEach(async () => {
  await newChat(page)
})

const lastTurn = () => page.locator('.nw-turn').last()
const answered = () => lastTurn().locator('.nw-turn-foot').waitFor()
const panel = () => page.locator('[data-panel]')

describe('the web app', () => {
  it('names the vault at the start, and offers questions that the notes can answer', async () => {
    const words = await page.innerText('.page-welcome')
    expect(words).toContain('vault')
    expect(words).toContain('answers are quotes from your notes')
    await page.locator('.page-ask').first().click()
    await answered()
    expect(await lastTurn().locator('.nw-chip').count()).toBeGreaterThan(0)
  })

  it('answers with folded steps, and citations that open the note at its lines', async () => {
    await ask(page, 'When does late blight come?')
    await answered()
    expect(await lastTurn().innerText()).toContain('Late blight comes with warm rain in August.')
    expect(await lastTurn().locator('.nw-work [aria-expanded]').first().getAttribute('aria-expanded')).toBe('false')
    await lastTurn().locator('.nw-chip').first().click()
    await page.waitForSelector('.nw-note')
    expect(await page.innerText('article .nw-passage')).toContain('Late blight comes with warm rain')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.locator('.page-side').count()).toBe(0)
  })

  it('makes approved changes and undoes them, and no denied ones', async () => {
    const before = await place.treeHash()
    await ask(page, 'rename Soup to Broth')
    await panel().waitFor()
    expect(await place.treeHash()).toBe(before)
    expect(await axeViolations(page)).toEqual([])
    await panel().getByRole('button', { name: 'Add a reason' }).click()
    await panel().getByLabel('Reason (sent to the model)').fill('I like soup')
    await page.keyboard.press('Enter')
    await answered()
    expect(await lastTurn().innerText()).toContain('You denied')
    expect(await place.treeHash()).toBe(before)

    await ask(page, 'rename Soup to Broth')
    await panel().getByRole('button', { name: 'Rename', exact: true }).click()
    await answered()
    expect(await place.read('Kitchen/Broth.md')).toContain('Tomato soup')
    await lastTurn().getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo 1 change' }).click()
    await page.waitForSelector('.nw-toast')
    expect(await place.treeHash()).toBe(before)
  })

  it('shows pending requests after a reload and in a second tab, and accepts one answer', async () => {
    await ask(page, 'rename Orphan to Lonely')
    await panel().waitFor()
    await page.reload()
    await panel().waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('[data-panel]').getByRole('button', { name: 'Deny', exact: true }).click()
    await answered()
    expect(await lastTurn().innerText()).toMatch(/Denied: /)
    // The row says that it was decided elsewhere.
    expect(await lastTurn().innerText()).not.toContain('You denied: ')
    expect(await panel().count()).toBe(0)
    await other.close()
  })

  it('finds notes while the user types, marks the words, and shows the selected note beside the list', async () => {
    await showView(page, 'Search')
    await page.getByLabel('Search your notes').fill('nitrogen')
    await page.locator('.nw-hit').first().waitFor()
    expect(await page.innerText('.nw-hits')).toContain('Beans climb poles')
    expect(await page.locator('.nw-hit mark').allInnerTexts()).toContain('nitrogen')
    await page.locator('.nw-preview .nw-passage').waitFor()
    expect(await page.innerText('.nw-preview .nw-passage')).toContain('nitrogen')
    expect(await axeViolations(page)).toEqual([])
    expect(await page.innerText('.page-search')).not.toContain('secret')
    await page.getByLabel('Search your notes').fill('')
    await expect.poll(() => page.locator('.nw-hit').count()).toBe(0)
    await backToChat(page)
  })

  it('offers notes after an @, and never sends while an input method composes', async () => {
    const field = page.getByLabel('Your question')
    await field.pressSequentially('What about @Toma')
    await page.getByRole('option', { name: /Tomatoes/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('What about @[[Tomatoes]] ')
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    expect(await page.locator('.nw-turn').count()).toBe(0)
    await field.fill('')
  })

  it('keeps chats, and finds them by their text', async () => {
    await ask(page, 'What do beans climb?')
    await answered()
    await showView(page, 'Chats')
    await page.getByLabel('Search in chats').fill('beans climb')
    const row = page.locator('.page-chat-row .page-row', { hasText: 'beans climb' })
    await row.first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await row.first().click()
    await answered()
    expect(await lastTurn().innerText()).toContain('What do beans climb?')
  })

  it('lists calls and changes, and undoes a change', async () => {
    await ask(page, 'rename Orphan to Lonely')
    await panel().getByRole('button', { name: 'Rename', exact: true }).click()
    await answered()
    await showView(page, 'Activity')
    const chat = page.locator('.nw-activity-chat', { hasText: 'rename Orphan to Lonely' }).first()
    await chat.getByText('“rename Orphan to Lonely”').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Changes', exact: true }).click()
    const change = page.locator('.nw-event', { hasText: 'Renamed Orphan to Lonely' }).first()
    await change.locator('.nw-fold-label').click()
    expect(await change.innerText()).toContain('Approved by you')
    expect(await axeViolations(page)).toEqual([])
    await change.getByRole('button', { name: 'Show changes' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
    await page.keyboard.press('Escape')
    await change.getByRole('button', { name: 'Undo: Renamed Orphan to Lonely' }).click()
    await page.getByRole('button', { name: 'Undo 1 change' }).click()
    await expect.poll(() => place.read('Orphan.md').catch(() => '')).toContain('Nobody links here')
    await page.getByRole('button', { name: 'Not done', exact: true }).click()
    await page.getByText('Denied: rename Orphan to Lonely').first().waitFor()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByLabel('Filter by note or word').fill('no such word')
    await page.getByText('Nothing found for “no such word”').waitFor()
    await backToChat(page)
  })

  it('causes no errors in the console', () => {
    expect(troubles).toEqual([])
  })
})
