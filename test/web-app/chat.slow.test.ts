import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storedTimers } from '../../src/hosts/node/folder-host.js'
import type { Stage } from '../e2e/cli-harness.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { ask, backToChat, chooseSetting, newChat, type OpenedPage, openPage, showView } from './served-page.js'

let opened: OpenedPage
let place: Stage
let page: Page
let troubles: string[]

beforeAll(async () => {
  opened = await openPage(async (place) => {
    await place.write('Plot.md', '---\nnotewright: project\nfolders: [Garden]\n---\n')
    await mkdir(join(place.home, 'prompts'), { recursive: true })
    await writeFile(
      join(place.home, 'prompts/blight.md'),
      '---\ndescription: the blight\n---\nWhen does late blight come?',
    )
  })
  ;({ place, page, troubles } = opened)
})
afterAll(() => opened?.close())
beforeEach(async () => {
  await newChat(page)
})

const field = () => page.getByLabel('Your question')
const lastTurn = () => page.locator('.nw-turn').last()
const answered = () => lastTurn().locator('.nw-turn-foot').waitFor()
const panel = () => page.locator('[data-panel]')

describe('the chat', () => {
  it('shows the changes of a turn, and undoes them', async () => {
    const before = await place.treeHash()
    await ask(page, 'rename Soup to Broth')
    await panel().getByRole('button', { name: 'Rename', exact: true }).click()
    await answered()
    await lastTurn().getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('complementary', { name: 'Changes' })
    await review.getByText('move Kitchen/Soup.md to Kitchen/Broth.md', { exact: true }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await review.getByRole('button', { name: 'Undo…' }).click()
    await page.getByRole('button', { name: 'Undo 1 change' }).click()
    await page.waitForSelector('.nw-toast')
    expect(await place.treeHash()).toBe(before)
  })

  it('lets the user resolve later edits, and loses none', async () => {
    await ask(page, 'append "- leeks" to Garden/Beans')
    await panel().locator('.nw-allow').click()
    await answered()
    const changed = await place.read('Garden/Beans.md')
    expect(changed).toContain('- leeks')
    await place.write('Garden/Beans.md', changed.replace('- leeks', '- leeks and onions'))
    await lastTurn().getByRole('button', { name: 'Undo' }).click()
    const edited = page.locator('.nw-settle-place')
    await edited.getByLabel('Keep later edits').check()
    expect(await page.locator('.nw-undo').innerText()).toContain("can't be undone as it is")
    expect(await edited.innerText()).toContain('leeks and onions')
    expect(await axeViolations(page)).toEqual([])
    // If nothing is left to undo, the page says so and offers the other choice.
    await page.getByRole('button', { name: 'Show what that does' }).click()
    await page.getByText('Nothing to undo: the notes already have this text').waitFor()
    expect(await place.read('Garden/Beans.md')).toContain('leeks and onions')
    await edited.getByLabel('Take that back too').check()
    await page.getByRole('button', { name: 'Show what that does' }).click()
    await page.getByRole('button', { name: 'Undo 1 change' }).click()
    await expect.poll(() => place.read('Garden/Beans.md')).not.toContain('leeks')
  })

  it('branches to a new chat without changing the old one', async () => {
    await ask(page, 'What do beans climb?')
    await answered()
    await ask(page, 'When does late blight come?')
    await expect.poll(() => page.locator('.nw-turn').count()).toBe(2)
    await answered()
    const old = page.url()
    await page.locator('.nw-turn').first().getByRole('button', { name: 'Branch to a new chat' }).click()
    await expect.poll(() => page.url()).not.toBe(old)
    await answered()
    expect(await page.locator('.nw-turn').count()).toBe(1)
    await page.goto(old)
    await expect.poll(() => page.locator('.nw-turn').count()).toBe(2)
  })

  it('answers again and edits in place, as versions of one message in one chat', async () => {
    await ask(page, 'What do beans climb?')
    await answered()
    const chat = page.url()
    const chats = await page.locator('.page-chat-line').count()
    await lastTurn().getByRole('button', { name: 'Retry' }).click()
    await lastTurn().getByText('2 / 2').waitFor()
    await answered()
    // By keyboard alone.
    await lastTurn().getByRole('button', { name: 'Edit', exact: true }).focus()
    await page.keyboard.press('Enter')
    const editor = page.getByRole('form', { name: 'Edit the question' })
    await editor.locator('textarea:focus').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await editor.getByLabel('Question').fill('When does late blight come?')
    await page.keyboard.press('Enter')
    await lastTurn().getByText('3 / 3').waitFor()
    await answered()
    expect(await page.locator('.nw-turn').count()).toBe(1)
    expect(await lastTurn().locator('.nw-bubble').innerText()).toBe('When does late blight come?')
    await lastTurn().getByRole('button', { name: 'Earlier version' }).click()
    await lastTurn().getByText('2 / 3').waitFor()
    expect(await lastTurn().locator('.nw-bubble').innerText()).toBe('What do beans climb?')
    await expect.poll(() => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)).toBe('Earlier version')
    expect(await axeViolations(page)).toEqual([])
    // The next question continues the version that is shown, also after a reload.
    await ask(page, 'nitrogen')
    await expect.poll(() => page.locator('.nw-turn').count()).toBe(2)
    await answered()
    await page.reload()
    await expect.poll(() => page.locator('.nw-turn').count()).toBe(2)
    await page.locator('.nw-turn').first().getByText('2 / 3').waitFor()
    expect(page.url()).toBe(chat)
    expect(await page.locator('.page-chat-line').count()).toBe(chats)
  })

  it('closes the editor of a question on Escape, and keeps the question', async () => {
    await ask(page, 'What do beans climb?')
    await answered()
    await lastTurn().getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Question', { exact: true }).fill('something else')
    await page.keyboard.press('Escape')
    expect(await lastTurn().locator('.nw-bubble').innerText()).toBe('What do beans climb?')
    await expect.poll(() => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)).toBe('Edit')
  })

  it('clicks the pressed button while the conversation grows', async () => {
    for (const words of ['What do beans climb?', 'When does late blight come?', 'nitrogen']) {
      const before = await page.locator('.nw-turn').count()
      await ask(page, words)
      await page.locator('.nw-turn').nth(before).locator('.nw-turn-foot').waitFor()
    }
    const old = page.url()
    const branch = lastTurn().getByRole('button', { name: 'Branch to a new chat' })
    await field().fill('soup basil')
    await branch.hover()
    await page.mouse.down()
    await page.evaluate(`document.querySelector('.nw-composer').requestSubmit()`)
    await page.locator('.nw-turn').nth(3).locator('.nw-turn-foot').waitFor()
    await page.mouse.up()
    await expect.poll(() => page.url()).not.toBe(old)
    await expect.poll(() => page.locator('.nw-turn').count()).toBe(3)
  })

  it('keeps an edited question while another one is being sent', async () => {
    await ask(page, 'What do beans climb?')
    await answered()
    let letGo = () => {}
    const sent = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/turns', async (route) => {
      await sent
      await route.continue()
    })
    await ask(page, 'nitrogen')
    await page.getByText('Sending…').waitFor()
    await page.locator('.nw-turn').first().getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Question', { exact: true }).fill('What do beans climb at night?')
    const taken = page.waitForResponse('**/turns')
    letGo()
    await taken
    await page.unroute('**/turns')
    await expect.poll(() => page.getByText('Sending…').count()).toBe(0)
    expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe('What do beans climb at night?')
  })

  it('offers commands and prompts behind a slash, folders and tags behind an @', async () => {
    await field().pressSequentially('/se')
    await page.getByRole('option', { name: /\/settings/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await field().fill('/settings')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Settings' }).waitFor()
    await backToChat(page)
    expect(await page.locator('.nw-turn').count()).toBe(0)
    await field().pressSequentially('/bl')
    await page.getByRole('option', { name: '/blight the blight' }).click()
    await page.keyboard.press('Enter')
    await answered()
    expect(await lastTurn().innerText()).toContain('Late blight comes with warm rain')
    await field().pressSequentially('notes in @Kitch')
    await page.getByRole('option', { name: 'Kitchen/ folder' }).click()
    await expect.poll(() => field().inputValue()).toBe('notes in Kitchen/ ')
    await field().fill('')
    await field().pressSequentially('about @garden')
    await page.getByRole('option', { name: /#garden\/vegetables/ }).waitFor()
    await field().fill('')
  })

  it('attaches dropped files, and folds pasted text', async () => {
    const paste = `Array.from({ length: 40 }, (_, at) => 'line ' + at).join('\\n')`
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.setData('text/plain', ${paste})
      document.querySelector('.nw-composer textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })()`)
    await page.getByText('Pasted text 1').waitFor()
    expect(await field().inputValue()).toBe('')
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['Quinces ripen in October.'], 'Quince.md', { type: 'text/markdown' }))
      document.querySelector('.nw-composer').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })()`)
    await page.getByText('Quince.md').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove Pasted text 1' }).click()
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'obsidian://open?vault=x&file=Garden%2FTomatoes.md')
      document.querySelector('.nw-composer').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })()`)
    await expect.poll(() => field().inputValue()).toBe('@[[Garden/Tomatoes]] ')
    await field().fill('What is new?')
    await page.keyboard.press('Enter')
    await answered()
    expect(await page.locator('.nw-attached li').count()).toBe(0)
  })

  it('limits a conversation to a project, and starts another one for another project', async () => {
    await page.reload()
    await chooseSetting(page, 'Project', 'Plot')
    await ask(page, 'soup basil')
    await answered()
    expect(await lastTurn().innerText()).not.toContain('Tomato soup')
    const old = page.url()
    await page.reload()
    await answered()
    await page.getByRole('button', { name: 'Project: Plot' }).waitFor()
    await chooseSetting(page, 'Project', 'Whole vault')
    await page.waitForSelector('.page-welcome')
    await ask(page, 'soup basil')
    await answered()
    expect(page.url()).not.toBe(old)
    expect(await lastTurn().innerText()).toContain('Tomato soup')
  })

  it('says when a timer has ended', async () => {
    const input = '{"action":"start","minutes":1}'
    await place.run(['tool', 'call', 'pomodoro', '--input', input, '--yes', '--vault', place.vault])
    await storedTimers(join(place.home, 'state')).set('pomodoro', { startedAt: Date.now() - 61_000, minutes: 1 })
    await page.getByText('Your pomodoro of').waitFor()
  })

  it('asks again after the index was not ready, and keeps the focus', async () => {
    let asked = 0
    await page.route('**/api/search', async (route) => {
      if (asked++ > 0) return route.continue()
      await route.fulfill({ json: { hits: [], freshness: 'catching up (3 left)' } })
    })
    await showView(page, 'Search')
    const search = page.getByLabel('Search your notes')
    await search.fill('beans')
    await page.getByText('3 files still to be read.').waitFor()
    await page.evaluate('document.activeElement.setSelectionRange(1, 3)')
    await page.locator('.nw-hit-title').first().waitFor()
    expect(await page.locator('.nw-search [role=status]').innerText()).not.toContain('still to be read')
    const at = '(({ value, selectionStart, selectionEnd }) => [value, selectionStart, selectionEnd])'
    expect(await page.evaluate(`${at}(document.activeElement)`)).toEqual(['beans', 1, 3])
    await page.unroute('**/api/search')
    await backToChat(page)
  })

  it('filters a search by a property', async () => {
    await place.write('Done.md', '---\nstatus: done\n---\nNitrogen is measured.\n')
    await showView(page, 'Search')
    await page.getByRole('button', { name: 'Filter by property' }).click()
    await page.getByLabel('A property, as status: done').fill('status: done')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove filter status: done' }).waitFor()
    await page.getByLabel('Search your notes').fill('nitrogen')
    await expect
      .poll(() =>
        page
          .locator('.nw-hits')
          .innerText()
          .catch(() => ''),
      )
      .toContain('Nitrogen is measured')
    expect(await page.locator('.nw-hits').innerText()).not.toContain('Beans climb poles')
    await backToChat(page)
  })

  it('works by keyboard alone: a question, an approval, a note, and back', async () => {
    await page.reload()
    await page.waitForSelector('.page-welcome')
    const to = async (name: RegExp, most = 60) => {
      for (let at = 0; at < most; at++) {
        await page.keyboard.press('Tab')
        const active = await page.evaluate(
          `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '') + ''`,
        )
        if (name.test(active as string)) return
      }
      throw new Error(`Tab never comes to ${name}`)
    }
    await to(/^Your question$/)
    await page.keyboard.type('rename Orphan to Lonely')
    await page.keyboard.press('Enter')
    await panel().waitFor()
    await page.keyboard.press('Alt+A')
    // The button names its keys, too.
    await to(/^Rename(?:Ctrl.*)?$/)
    await page.waitForTimeout(450)
    await page.keyboard.press('Space')
    await answered()
    expect(await place.read('Lonely.md')).toContain('Nobody links here')
    await to(/^Undo$|Undo/)
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Undo' }).waitFor()
    await to(/^Undo 1 change$/)
    await page.keyboard.press('Enter')
    await expect.poll(() => place.read('Orphan.md').catch(() => '')).toContain('Nobody links here')
  })

  it('reads well at 320 px and with text of twice the size, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [width, size] of [
        [320, '100%'],
        [900, '200%'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        // The page's own policy refuses styles of others; a user's zoom is set from outside too.
        await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
        for (const view of ['Chats', 'Search', 'Activity', 'Settings', 'New chat'] as const) {
          if (view === 'New chat') await newChat(page)
          else await showView(page, view)
          await page.waitForTimeout(150)
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          expect({ view, width, size, overflow }).toEqual({ view, width, size, overflow: 0 })
          expect(await axeViolations(page)).toEqual([])
        }
      }
    }
    await page.evaluate(`document.documentElement.style.fontSize = ''`)
    await page.setViewportSize({ width: 1000, height: 800 })
    await backToChat(page)
  })

  it('reads well beside the conversation: a note, the notes of the chat, changes and undo', async () => {
    await ask(page, 'append "- chard" to Garden/Compost')
    await panel().locator('.nw-allow').click()
    await answered()
    await lastTurn().getByRole('button', { name: 'Changed 1 note' }).click()
    const panes: Record<string, () => Promise<unknown>> = {
      note: () => lastTurn().getByRole('button', { name: 'Garden/Compost.md' }).click(),
      graph: () => page.locator('.page-head').getByRole('button', { name: 'Notes in this chat' }).click(),
      review: () => lastTurn().getByRole('button', { name: 'Review' }).click(),
      undo: () => lastTurn().getByRole('button', { name: 'Undo' }).click(),
    }
    for (const [colorScheme, width, size] of [
      ['dark', 320, '100%'],
      ['light', 900, '200%'],
    ] as const) {
      for (const [name, show] of Object.entries(panes)) {
        await show()
        await page.locator('.page-side-body button, .page-side-body input').first().waitFor()
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
        const where = { name, width, size }
        expect({ ...where, overflow: await overflow(page) }).toEqual({ ...where, overflow: 0 })
        expect({ ...where, found: await axeViolations(page) }).toEqual({ ...where, found: [] })
        await page.evaluate(`document.documentElement.style.fontSize = ''`)
        await page.setViewportSize({ width: 1000, height: 800 })
        await page.locator('.page-side').getByRole('button', { name: 'Close' }).click()
      }
    }
  })

  it('causes no errors in the console', () => expect(troubles).toEqual([]))
})
