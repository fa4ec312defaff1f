import { afterAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../ui/story-page.js'
import { closeBrowser, onPage } from './page-with-model.js'
import { ask } from './served-page.js'

afterAll(closeBrowser)

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
      await page.waitForTimeout(450)
      await page.keyboard.press('Enter')
      await expect(place.read('Now.md')).rejects.toThrow()
      await panel.getByRole('button', { name: 'Deny', exact: true }).click()
      await page.locator('.nw-turn-foot').waitFor()
      await expect(place.read('Now.md')).rejects.toThrow()
    },
  ),
  onPage(
    'says why each of the notes came up that are to be shared, and shares those that are picked',
    [
      { call: [{ name: 'search_notes', input: { query: 'nitrogen' } }] },
      { call: [{ name: 'file_read', input: { filePaths: ['Garden/Beans.md', 'Kitchen/Soup.md'] } }] },
      { say: 'ok' },
    ],
    async (page) => {
      await ask(page, 'What about the soup?')
      const pick = page.locator('.nw-pick')
      await pick.waitFor()
      expect(await pick.innerText()).toMatch(/Beans\.md[\s\S]*found by:[\s\S]*Soup\.md[\s\S]*you named it/)
      expect(await axeViolations(page)).toEqual([])
      await page.locator('[data-panel]').getByRole('button', { name: 'Deny', exact: true }).click()
      await page.locator('.nw-turn-foot').waitFor()
    },
  ),
]

describe('a panel on the page', () => {
  for (const { name, run } of checks) it(name, () => run())
})
