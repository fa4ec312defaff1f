import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../ui/story-page.js'
import { closeBrowser, onPage } from './page-with-model.js'
import { ask, pressUntil } from './served-page.js'

afterAll(closeBrowser)

const panelOf = (page: Page) => page.locator('[data-panel]')

const longNote = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('')
const replaced = (old: string, next: string) => `<<<<<<< SEARCH\n${old}\n=======\n${next}\n>>>>>>> REPLACE\n`
const twoPlaces = replaced('line 1\nline 2', 'first\nline 2') + replaced('line 30', 'last')

/** Adds a server and switches its tool on, as the settings do. */
async function switchOn(page: Page, args: string[]): Promise<void> {
  const wanted = JSON.stringify({ name: 'odd', command: process.execPath, args })
  await page.evaluate(`(async () => {
    const post = async (path, body) => {
      const answer = await apiFetch('mcp-servers' + path, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    }
    const { toApprove } = await post('', ${wanted})
    await post('', { ...${wanted}, hash: toApprove.hash })
    const { tools } = await post('/odd/tools', {})
    await post('/odd/enable', { tools: tools.map(({ name, hash }) => ({ name, hash })) })
  })()`)
}

/** Says yes to what is asked before, and asks again where the server was not up yet. */
async function untilAsked(page: Page, words: string): Promise<void> {
  await expect
    .poll(async () => {
      const text = (await panelOf(page).count()) === 0 ? '' : await panelOf(page).innerText()
      if (text === '' && (await page.getByRole('button', { name: 'Send' }).count()) > 0) {
        // Without waiting: an answer may have begun by now, and Enter sends nothing then.
        await page.getByLabel('Your question').fill('x')
        await page.keyboard.press('Enter')
      }
      // By now it may be the next panel, whose button waits for its form.
      else if (text !== '' && !text.includes(words))
        await page
          .locator('.nw-allow')
          .click({ timeout: 500 })
          .catch(() => {})
      return text
    })
    .toContain(words)
}

const script = '# Now\n\n```dataviewjs\napp.vault.delete()\n```\n'

const checks = [
  onPage(
    'says so where a note would get text that other programs run, and keeps Enter from allowing it',
    [{ call: [{ name: 'write_note', input: { path: 'Now.md', content: script } }] }, { say: 'ok' }],
    async (page, place) => {
      await ask(page, 'x')
      const panel = page.locator('[data-panel]')
      await panel.waitFor()
      expect(await panel.innerText()).toMatch(/run as code|other programs run/)
      expect(await panel.innerText()).toContain('dataviewjs')
      expect(await axeViolations(page)).toEqual([])
      await panel.locator('.nw-allow').focus()
      const refused = panel.getByText('Enter alone does not allow this.')
      await pressUntil(page, 'Enter', () => refused.isVisible())
      await expect(place.read('Now.md')).rejects.toThrow()
      await panel.getByRole('button', { name: 'Deny', exact: true }).click()
      await page.locator('.nw-turn-foot').waitFor()
      await expect(place.read('Now.md')).rejects.toThrow()
    },
  ),
  onPage(
    'writes such text when that is what the person wants',
    [{ call: [{ name: 'write_note', input: { path: 'Now.md', content: script } }] }, { say: 'ok' }],
    async (page, place) => {
      await ask(page, 'x')
      // The note first, then what is run in it: two questions.
      await page.locator('.nw-allow', { hasText: 'Create Now.md' }).click()
      await panelOf(page).getByRole('button', { name: 'Write text that other programs run' }).click()
      await page.locator('.nw-turn-foot').waitFor()
      expect(await place.read('Now.md')).toBe(script)
    },
  ),
  onPage(
    'shares the notes that are picked, says why each of them came up, and no word of the others',
    [
      { call: [{ name: 'search_notes', input: { query: 'nitrogen' } }] },
      { call: [{ name: 'file_read', input: { filePaths: ['Garden/Beans.md', 'Kitchen/Soup.md'] } }] },
      { say: 'ok' },
    ],
    async (page, _place, _requests, model) => {
      await ask(page, 'What about the soup?')
      const pick = page.locator('.nw-pick')
      await pick.waitFor()
      expect(await pick.innerText()).toMatch(/Beans\.md[\s\S]*found by:[\s\S]*Soup\.md[\s\S]*you named it/)
      expect(await pick.innerText()).toMatch(/53 bytes[\s\S]*46 bytes[\s\S]*99 bytes, about 25 tokens/)
      expect(await axeViolations(page)).toEqual([])
      await pick.getByRole('button', { name: 'Deselect all' }).click()
      expect(await page.getByRole('button', { name: 'Share 0 of 2' }).isDisabled()).toBe(true)
      await pick.getByRole('button', { name: 'Select all', exact: true }).click()
      await pick.getByRole('checkbox', { name: /Soup\.md/ }).uncheck()
      await page.getByRole('button', { name: 'Share 1 of 2' }).click()
      await page.locator('.nw-turn-foot').waitFor()
      const told = JSON.stringify(model.prompts().at(-1))
      expect(told).toContain('Beans climb poles')
      expect(told).not.toContain('Tomato soup with basil')
    },
  ),
  onPage(
    'runs a call with the arguments that the person made of it, after they have seen what it does then',
    [{ call: [{ name: 'write_note', input: { path: 'Made.md', content: 'by the model' } }] }, { say: 'ok' }],
    async (page, place, _requests, model) => {
      await ask(page, 'x')
      await panelOf(page).getByRole('button', { name: 'Edit', exact: true }).click()
      await panelOf(page).getByRole('button', { name: 'Change the arguments instead' }).click()
      await panelOf(page).getByLabel('content').fill('by me')
      expect(await axeViolations(page)).toEqual([])
      await panelOf(page).getByRole('button', { name: 'Use the changed arguments' }).click()
      await panelOf(page).getByText('by me').first().waitFor()
      await page.locator('.nw-allow', { hasText: 'Create Made.md' }).click()
      await page.locator('.nw-turn-foot').waitFor()
      expect(await place.read('Made.md')).toBe('by me')
      expect(JSON.stringify(model.prompts().at(-1))).toMatch(/person|user|edited/i)
    },
  ),
  onPage(
    'writes the text that the person edits in the card, after showing it as a change',
    [{ call: [{ name: 'write_note', input: { path: 'Made.md', content: 'by the model' } }] }, { say: 'ok' }],
    async (page, place, _requests, model) => {
      await ask(page, 'x')
      await panelOf(page).getByRole('button', { name: 'Edit', exact: true }).click()
      await panelOf(page).getByLabel('Text of Made.md').fill('Line one\nby me\n')
      expect(await axeViolations(page)).toEqual([])
      await panelOf(page).getByRole('button', { name: 'Show the edited change' }).click()
      await panelOf(page).getByText('by me').first().waitFor()
      await page.locator('.nw-allow', { hasText: 'Create Made.md' }).click()
      await page.locator('.nw-turn-foot').waitFor()
      expect(await place.read('Made.md')).toBe('Line one\nby me\n')
      expect(JSON.stringify(model.prompts().at(-1))).toContain('edited the text of Made.md')
    },
  ),
  onPage(
    'asks once about the calls of one reply, by keyboard, and makes those that are kept',
    [
      {
        call: [
          { name: 'write_note', input: { path: 'A.md', content: 'One.\n' } },
          { name: 'append_note', input: { path: 'A.md', content: 'Two.' } },
          { name: 'write_note', input: { path: 'B.md', content: 'b' } },
        ],
      },
      { say: 'ok' },
    ],
    async (page, place) => {
      await ask(page, 'x')
      await panelOf(page).getByText('Make these 3 calls?').waitFor()
      await page.keyboard.press('Alt+a')
      expect(await page.evaluate('document.activeElement.hasAttribute("data-panel")')).toBe(true)
      for (const key of ['j', 'j', 'j', 'n']) await page.keyboard.press(key)
      await panelOf(page).getByText('Apply 2 of 3').waitFor()
      await pressUntil(page, 'Control+Enter', async () => (await page.locator('.nw-turn-foot').count()) > 0)
      expect(await place.read('A.md')).toBe('One.\nTwo.\n')
      await expect(place.read('B.md')).rejects.toThrow()
    },
  ),
  onPage(
    'stops the turn with Escape, which denies what waits, and never takes the focus from what is typed',
    [{ call: [{ name: 'write_note', input: { path: 'Made.md', content: 'made' } }] }, { say: 'ok' }],
    async (page, place) => {
      await ask(page, 'x')
      await page.getByLabel('Your question').fill('half a sentence')
      await panelOf(page).waitFor()
      expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
      await page.keyboard.press('Alt+a')
      await page.keyboard.press('Escape')
      await expect.poll(() => panelOf(page).count()).toBe(0)
      await page.getByText('Stopped').first().waitFor()
      await expect(place.read('Made.md')).rejects.toThrow()
      expect(await page.getByLabel('Your question').inputValue()).toBe('half a sentence')
    },
  ),
  onPage(
    'keeps a typed reason over a reload until it is sent',
    [{ call: [{ name: 'write_note', input: { path: 'Made.md', content: 'made' } }] }, { say: 'ok' }],
    async (page, place, _requests, model) => {
      const kept = () => page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('notewright-reason'))`)
      await ask(page, 'x')
      await panelOf(page).getByRole('button', { name: 'Add a reason' }).click()
      await panelOf(page).getByLabel('Reason (sent to the model)').fill('Beds come first')
      await page.reload()
      expect(await panelOf(page).getByLabel('Reason (sent to the model)').inputValue()).toBe('Beds come first')
      expect(await kept()).toHaveLength(1)
      await panelOf(page).getByRole('button', { name: 'Deny with reason' }).click()
      await page.locator('.nw-turn-foot').waitFor()
      expect(JSON.stringify(model.prompts().at(-1))).toContain('Beds come first')
      await expect(place.read('Made.md')).rejects.toThrow()
      await expect.poll(kept).toEqual([])
    },
  ),
  onPage(
    'makes the changes of a note that are accepted, and no other',
    [{ call: [{ name: 'edit_note', input: { path: 'Long.md', diff: twoPlaces } }] }, { say: 'ok' }],
    async (page, place) => {
      await place.write('Long.md', longNote)
      await ask(page, 'x')
      await panelOf(page).getByLabel('Keep the change at line 1', { exact: true }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await panelOf(page).getByLabel('Reject the change at line 30').click()
      await panelOf(page).getByRole('button', { name: 'Apply 1 of 2 changes' }).click()
      await page.locator('.nw-turn-foot').waitFor()
      expect(await place.read('Long.md')).toBe(longNote.replace('line 1\n', 'first\n'))
    },
  ),
  onPage(
    'does of many calls those that are kept',
    [
      {
        call: Array.from({ length: 20 }, (_, at) => ({
          name: 'write_note',
          input: { path: `N${at}.md`, content: `n${at}` },
        })),
      },
      { say: 'ok' },
    ],
    async (page, place) => {
      await ask(page, 'x')
      await panelOf(page).getByText('Make these 20 calls?').waitFor()
      expect(await axeViolations(page)).toEqual([])
      await panelOf(page).getByRole('button', { name: 'Keep Create N17.md' }).click()
      await panelOf(page).getByRole('button', { name: 'Keep Create N19.md' }).click()
      await panelOf(page).getByRole('button', { name: 'Apply 2 of 20' }).click()
      await page.locator('.nw-turn-foot').waitFor()
      expect(await place.read('N17.md')).toBe('n17')
      expect(await place.read('N19.md')).toBe('n19')
      await expect(place.read('N18.md')).rejects.toThrow()
    },
  ),
  onPage(
    'gives a server of tools what the person fills into its form, and nothing where they decline',
    [{ call: [{ name: 'odd__echo', input: { text: 'a' } }] }],
    async (page, _place, _requests, model) => {
      const told = () => JSON.stringify(model.prompts())
      await switchOn(page, [resolve('test/mcp/odd-server.mjs'), 'asks'])
      await untilAsked(page, 'Where shall it grow?')
      expect(await panelOf(page).innerText()).toContain('odd')
      expect(await axeViolations(page)).toEqual([])
      const first = await panelOf(page).elementHandle()
      await panelOf(page).getByLabel('Which bed').fill('the north bed')
      await panelOf(page)
        .getByRole('button', { name: /^Send this to .*odd/ })
        .click()
      await expect.poll(told).toContain('the north bed')
      // The model may know the answer before the page has taken its panel away.
      await first?.waitForElementState('hidden')
      await untilAsked(page, 'Where shall it grow?')
      expect(told()).not.toContain('decline')
      await panelOf(page).getByRole('button', { name: 'Deny', exact: true }).click()
      await expect.poll(told).toContain('decline')
    },
  ),
]

describe('a panel on the page', () => {
  for (const { name, run } of checks) it(name, () => run())
})
