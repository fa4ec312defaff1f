import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations, overflow } from '../ui/story-page.js'
import { type OpenedPage, openPage, showView } from './served-page.js'

let opened: OpenedPage
let page: Page
beforeAll(async () => {
  opened = await openPage(
    async (place) => {
      await place.write('Typos.md', '# Typos\n\nSee [[Love aples]].\n')
      await place.write('Love apples.md', 'Red.\n')
      await place.write('Other.md', 'See [[Love aplpes]].\n')
    },
    { viewport: { width: 390, height: 844 } },
  )
  page = opened.page
})
afterAll(() => opened?.close())

const group = () => page.getByRole('button', { name: /^Links to missing notes/ })

describe('the check of the vault in the page', () => {
  it('shows groups with counts, and a finding opens its note beside it', async () => {
    await showView(page, 'Check vault')
    await group().click()
    expect(await axeViolations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Typos.md, line 3' }).click()
    const note = page.getByRole('complementary', { name: 'Typos' })
    await note.getByText('See').waitFor()
    await note.getByRole('button', { name: 'Close', exact: true }).click()
  })

  it('shows a fix as a change, and writes it only after Apply', async () => {
    const before = await opened.place.read('Typos.md')
    await page.getByRole('button', { name: 'Link to Love apples.md: [[Love aples]]' }).click()
    const plan = page.getByRole('group', { name: 'The change' })
    await plan.waitFor()
    expect(await plan.innerText()).toContain('Typos.md')
    expect(await axeViolations(page)).toEqual([])
    expect(await opened.place.read('Typos.md')).toBe(before)
    await plan.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^Redirect links/ }).click()
    await plan.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => opened.place.read('Other.md')).toBe('See [[Love apples]].\n')
    expect(await opened.place.read('Typos.md')).toBe('# Typos\n\nSee [[Love apples]].\n')
    await page.getByText(/You can undo it in Activity/).waitFor()
    expect(opened.troubles).toEqual([])
  })
})
