import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import { program, type Stage } from '../e2e/cli-harness.js'
import { atTerminal, noPty, type PtyProgram } from '../e2e/pty.js'
import { ask, openPage } from './served-page.js'

let place: Stage
let page: Page
let chat: PtyProgram | undefined

openForTests(async () => {
  const opened = await openPage()
  ;({ place, page } = opened)
  return {
    close() {
      chat?.kill()
      return opened.close()
    },
  }
})

const enter = '\r'
const endOfInput = '\x04'
const words = (session: string) => ['chat', '--session', session, '-m', 'offline', '--vault', place.vault]

describe.skipIf(noPty !== undefined)('one conversation in a page and at a terminal', () => {
  it('is continued at the terminal, followed in the page, and continued there again', async () => {
    await ask(page, 'When do the tomatoes get blight?')
    await page.locator('.nw-log').getByText('blight').nth(1).waitFor()
    const address = page.url()
    const id = new URLSearchParams(new URL(address).hash.slice(1)).get('session') as string

    // The page is closed.
    await page.goto('about:blank')
    await expect
      .poll(async () => {
        chat = atTerminal([process.execPath, program, ...words(id)], place.environment)
        return chat.sees('approvals: ask').then(
          () => 'open',
          (error: Error) => error.message,
        )
      })
      .toBe('open')
    await page.goto(address)
    await page.locator('.nw-turn').first().waitFor()
    chat?.send(`append "Pick early." to Garden/Tomatoes${enter}`)
    await chat?.sees(/Allow|\[y/)
    await page.getByText('waiting for your approval in another window or terminal').waitFor()
    expect(await page.getByText('interrupted').count()).toBe(0)
    expect(await page.locator('.nw-allow').count()).toBe(0)
    chat?.send('y')
    await page.getByText('Text added to Garden/Tomatoes.md').first().waitFor()
    await page.getByText('in another window or terminal').waitFor({ state: 'detached' })
    chat?.send(endOfInput)
    await chat?.exit()
    await ask(page, 'When do the tomatoes get blight?')
    await expect.poll(() => page.locator('.nw-turn').count()).toBe(3)
  })
})
