import { cp } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import { ask, openPage } from './served-page.js'

let page: Page
let troubles: string[]

openForTests(async () => {
  const opened = await openPage(({ vault }) => cp('examples/vault', vault, { recursive: true }))
  ;({ page, troubles } = opened)
  return opened
})

/** Short and long answers, lists, answers without a hit, and requests that read or list notes. */
const questions = [
  'What helps against late blight?',
  'Who is Mara?',
  'Which tasks are still open?',
  'What do I know about zeppelins?',
  'show Compost',
  'How hot does the compost get?',
  'list tags',
  'Which notes link to Compost?',
  'What time is it?',
  'Why does the bread rise?',
]
const times = 200

/** By how many pixels the end of the last answer is below what is shown of the log. */
const hiddenPart = () =>
  page.evaluate<number>(`{
    const foot = [...document.querySelectorAll('.nw-turn')].at(-1).querySelector('.nw-turn-foot')
    const log = foot.closest('.nw-log')
    Math.max(0, Math.round(foot.getBoundingClientRect().bottom - log.getBoundingClientRect().bottom))
  }`)

describe('a long chat without a model', () => {
  it(`shows the end of the answer to each of ${times} questions in a row`, async () => {
    for (let at = 0; at < times; at++) {
      const question = `${questions[at % questions.length]}`
      await ask(page, question)
      await expect.poll(() => page.locator('.nw-turn').count(), { message: `question ${at + 1}` }).toBeGreaterThan(0)
      const last = page.locator('.nw-turn').last()
      await expect.poll(() => last.innerText(), { message: `question ${at + 1}` }).toContain(question)
      await last.locator('.nw-turn-foot').waitFor()
      await expect.poll(hiddenPart, { message: `question ${at + 1}: ${question}` }).toBe(0)
    }
    expect(troubles).toEqual([])
  }, 1_800_000)
})
