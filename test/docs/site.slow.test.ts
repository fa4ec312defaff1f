import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, patienceMs } from '../browser/open-browser.js'

const folder = mkdtempSync(join(tmpdir(), 'notewright-site-'))
let browser: Browser

beforeAll(async () => {
  spawnSync(process.execPath, ['scripts/build-site.mjs', folder])
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

async function open(path: string, colorScheme: 'light' | 'dark' = 'light', width = 1200): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  page.setDefaultTimeout(patienceMs)
  await page.goto(`${pathToFileURL(folder)}/${path}`)
  return page
}

describe('the site of the docs', () => {
  it('finds a section by words and opens it', async () => {
    const page = await open('index.html')
    await page.getByLabel('Search the docs').fill('deleted note')
    const hit = page.locator('#results a', { hasText: 'Undo › Restore a deleted note' })
    await hit.click()
    await page.waitForURL(/docs\/guides\/undo\.html#restore-a-deleted-note$/)
    await page.close()
  })

  it('says so when nothing is found', async () => {
    const page = await open('docs/guides/search.html')
    await page.getByLabel('Search the docs').fill('xylophone quartet')
    await page.getByText('No matches').waitFor()
    await page.close()
  })

  it.each(['light', 'dark'] as const)('has no accessibility problems in %s colours', async (colors) => {
    for (const path of ['index.html', 'docs/guides/approvals.html', 'docs/reference/cli.html']) {
      const page = await open(path, colors)
      await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'))
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults
      expect(violations.map(({ id, nodes }) => [path, id, nodes[0].html])).toEqual([])
      await page.close()
    }
  })

  it('keeps the theme that was chosen', async () => {
    const page = await open('index.html', 'light')
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Light' }).waitFor()
    expect(await page.evaluate('document.documentElement.className')).toBe('dark')
    await page.close()
  })

  it('fits a narrow screen, with the pages in a menu', async () => {
    const page = await open('docs/guides/chats.html', 'light', 360)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Approvals', exact: true }).first().click()
    await page.waitForURL(/approvals\.html$/)
    await page.close()
  })
})
