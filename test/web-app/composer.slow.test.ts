import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import type { Stage } from '../e2e/cli-harness.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { ask, chooseSetting, newChat, openPage } from './served-page.js'

let place: Stage
let page: Page
let troubles: string[]

openForTests(async () => {
  const opened = await openPage()
  ;({ place, page, troubles } = opened)
  return opened
})
beforeEach(async () => {
  await newChat(page)
  await field().fill('')
})

const field = () => page.getByLabel('Your question')
const answered = () => page.locator('.nw-turn').last().locator('.nw-turn-foot').waitFor()

describe('a draft', () => {
  it('belongs to its chat, and survives a reload and other chats', async () => {
    await ask(page, 'What do beans climb?')
    await answered()
    await field().fill('half a sentence')
    await newChat(page)
    expect(await field().inputValue()).toBe('')
    await field().fill('something else')
    await page.reload()
    await expect.poll(() => field().inputValue()).toBe('something else')
    await page.locator('.page-chat-line .page-row', { hasText: 'What do beans climb' }).first().click()
    await expect.poll(() => field().inputValue()).toBe('half a sentence')
    await page.reload()
    await expect.poll(() => field().inputValue()).toBe('half a sentence')
    await field().fill('')
  })

  it('is not sent twice: it is empty after sending, also after a reload', async () => {
    await field().fill('nitrogen')
    await page.getByRole('button', { name: 'Send' }).click()
    await answered()
    await expect.poll(() => field().inputValue()).toBe('')
    await page.reload()
    await answered()
    expect(await field().inputValue()).toBe('')
  })
})

describe('choices beside the question', () => {
  it('are menus in plain words, remembered by the chat', async () => {
    await page.getByRole('button', { name: 'Approvals: Ask first' }).click()
    expect(await page.getByRole('menu').innerText()).toContain(
      'Every change and everything sent to the web waits for you.',
    )
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await chooseSetting(page, 'Approvals', 'Read only')
    await chooseSetting(page, 'Mode', 'Quick answer')
    await ask(page, 'When does late blight come?')
    await answered()
    await page.reload()
    await page.getByRole('button', { name: 'Approvals: Read only' }).waitFor()
    await page.getByRole('button', { name: 'Mode: Quick answer' }).waitFor()
  })

  it('lead to their settings', async () => {
    await page.getByRole('button', { name: 'Model: No model' }).click()
    await page.getByRole('menuitem', { name: 'Connect another model' }).click()
    await page.getByRole('region', { name: 'Settings' }).waitFor()
    await newChat(page)
    await page.getByRole('button', { name: /^Approvals:/ }).click()
    await page.getByRole('menuitem', { name: 'Approval settings' }).click()
    await page.getByRole('region', { name: 'Settings' }).waitFor()
  })

  it('keep the configured model after another one was chosen', async () => {
    await page.route('**/api/overview', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), model: 'compatible/my-model' } })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Model: my-model' }).waitFor()
    await chooseSetting(page, 'Model', 'No model')
    await chooseSetting(page, 'Model', 'my-model')
    await page.unroute('**/api/overview')
    await page.reload()
  })
})

describe('what goes along with a question', () => {
  it('is chosen with the button, and removed again', async () => {
    const file = join(place.home, 'Prices.csv')
    await writeFile(file, 'flour,2\n')
    await page.getByRole('button', { name: 'Add a file or note' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Attach files' }).click()
    await (await chooser).setFiles(file)
    await page.getByText('Prices.csv').waitFor()
    await page.getByRole('button', { name: 'Remove Prices.csv' }).click()
    expect(await page.getByText('Prices.csv').count()).toBe(0)
  })

  it('can be a note, named from the same button', async () => {
    await page.getByRole('button', { name: 'Add a file or note' }).click()
    await page.getByRole('menuitem', { name: 'Name a note' }).click()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.type('bea')
    await page.getByRole('option', { name: /^Garden\/Beans/ }).click()
    await expect.poll(() => field().inputValue()).toBe('@[[Garden/Beans]] ')
    await field().fill('')
  })

  it('is taken wherever it is dropped or pasted', async () => {
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['Figs ripen in August.'], 'Figs.md', { type: 'text/markdown' }))
      document.querySelector('.page-side-scroll').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })()`)
    await page.getByText('Figs.md').waitFor()
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['Plums ripen in July.'], 'Plums.md', { type: 'text/markdown' }))
      document.querySelector('.page-head h1').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })()`)
    await page.getByText('Plums.md').waitFor()
    for (const name of ['Figs.md', 'Plums.md']) await page.getByRole('button', { name: `Remove ${name}` }).click()
  })
})

describe('suggestions', () => {
  it('never belong to other letters than those that stand there', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await field().pressSequentially('@be')
    await page.getByRole('option', { name: /^Garden\/Beans/ }).waitFor()
    await page.route('**/api/names?wanted=tom', async (route) => {
      await held
      await route.continue()
    })
    await field().fill('@tom')
    await expect.poll(() => page.getByRole('option', { name: /^Garden\/Beans/ }).count()).toBe(0)
    await field().fill('')
    letGo()
    await page.unrouteAll({ behavior: 'wait' })
    expect(await page.getByRole('option').count()).toBe(0)
  })

  it('close when the cursor leaves the name', async () => {
    await field().pressSequentially('see @be')
    await page.getByRole('option', { name: /^Garden\/Beans/ }).waitFor()
    await page.keyboard.press('Home')
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
    await field().fill('')
  })
})

/** `NOTEWRIGHT_ROUNDS=200` asks that many questions. */
const rounds = Number(process.env.NOTEWRIGHT_ROUNDS ?? 12)

it(`shows the end of each answer of ${rounds} questions in a row`, async () => {
  const questions = ['What do beans climb?', 'When does late blight come?', 'soup basil', 'nitrogen']
  for (let round = 0; round < rounds; round++) {
    await ask(page, questions[round % questions.length])
    await expect.poll(() => page.locator('.nw-turn-foot').count()).toBe(round + 1)
    // Once what is drawn has settled, the foot of the last turn is in sight.
    await expect
      .poll(() =>
        page.evaluate(`(() => {
          const log = document.querySelector('.nw-log').getBoundingClientRect()
          const foot = [...document.querySelectorAll('.nw-turn-foot')].pop().getBoundingClientRect()
          return foot.bottom <= log.bottom + 1 && foot.top >= log.top
        })()`),
      )
      .toBe(true)
    expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0)
  }
}, 600_000)

it('stays where the user has scrolled to, and returns with a button', async () => {
  for (const words of ['What do beans climb?', 'When does late blight come?', 'soup basil', 'nitrogen']) {
    const before = await page.locator('.nw-turn').count()
    await ask(page, words)
    await expect.poll(() => page.locator('.nw-turn-foot').count()).toBe(before + 1)
  }
  await page.setViewportSize({ width: 1000, height: 500 })
  await page.locator('.nw-log').hover()
  await page.mouse.wheel(0, -2000)
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  const scrolled = () => page.evaluate<number>(`document.querySelector('.nw-log').scrollTop`)
  // The wheel turns for some frames.
  let top = await scrolled()
  await expect.poll(async () => top === (top = await scrolled()), { interval: 200 }).toBe(true)
  await page.evaluate(`document.querySelector('.nw-composer textarea').focus()`)
  await page.keyboard.type('Where is garlic?')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.nw-turn-foot').count()).toBe(5)
  expect(await scrolled()).toBe(top)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0)
  await page.setViewportSize({ width: 1000, height: 800 })
})

it('fits into 320 px, light and dark', async () => {
  await page.setViewportSize({ width: 320, height: 600 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.getByRole('button', { name: /^Model:/ }).click()
    expect(await axeViolations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.keyboard.press('Escape')
  }
  await page.setViewportSize({ width: 1000, height: 800 })
})

it('causes no errors in the console', () => expect(troubles).toEqual([]))
