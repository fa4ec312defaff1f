import { existsSync, readdirSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import type { Stage } from '../e2e/cli-harness.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { ask, newChat, openPage, showView } from './served-page.js'

const data = resolve(process.env.NOTEWRIGHT_DATA ?? '../shared/data')

/** A public vault, unpacked in the data folder, with a few facts about it. It is never committed. */
interface PublicVault {
  folder: string
  notes: number
  search: { words: string; filter: string; found: RegExp }
  /** Notes with what is drawn of each. */
  drawn: { note: string; shows: string }[]
  question: { asks: string; cites: RegExp }
  /** A note that many others link to. */
  hub: { from: string; to: string; path: string; moved: string; linker: string; link: string }
}

const vaults: PublicVault[] = [
  {
    // `content` of github.com/jackyzha0/jackyzha0.github.io
    folder: 'jackyzha0-garden',
    notes: 749,
    search: { words: 'consensus', filter: 'thoughts', found: /Consensus/i },
    drawn: [
      { note: 'thoughts/PBFT', shows: 'math' },
      { note: 'thoughts/transformers', shows: '.nw-callout' },
      { note: 'thoughts/computer graphics', shows: 'math[display="block"]' },
      { note: 'thoughts/JPEG', shows: '.nw-callout' },
    ],
    question: { asks: 'What is the CAP theorem?', cites: /CAP/i },
    hub: {
      from: 'causality',
      to: 'Cause and effect',
      path: 'thoughts/causality.md',
      moved: 'thoughts/Cause and effect.md',
      linker: 'thoughts/Order theory.md',
      link: 'Cause and effect',
    },
  },
  {
    // github.com/obsidian-community/obsidian-hub
    folder: 'obsidian-hub',
    notes: 6000,
    search: { words: 'daily notes', filter: 'Concepts', found: /daily/i },
    drawn: [
      { note: '04 - Guides, Workflows, & Courses/Guides/Markdown Syntax', shows: '.nw-callout' },
      { note: '04 - Guides, Workflows, & Courses/Guides/Obsidian publish and pfSense', shows: 'h3' },
      { note: '🗂️ hub', shows: 'button' },
    ],
    question: { asks: 'How do I add automated tests to my plugin?', cites: /test/i },
    hub: {
      from: 'Mobile-compatible plugins',
      to: 'Plugins for phones',
      path: '02 - Community Expansions/02.01 Plugins by Category/Mobile-compatible plugins.md',
      moved: '02 - Community Expansions/02.01 Plugins by Category/Plugins for phones.md',
      linker: '02 - Community Expansions/02.05 All Community Expansions/Plugins/13th-age-statblocks.md',
      link: 'Plugins for phones',
    },
  },
]

/** Pictures of the screens for a person to look at, where a folder for them is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.NOTEWRIGHT_PICTURES
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
}

for (const vault of vaults) {
  const folder = join(data, 'vaults', vault.folder)
  const isThere = existsSync(folder)
  const where = isThere ? vault.folder : `${vault.folder}, absent: unpack it as ${folder}`

  describe.runIf(isThere)(`the page on a public vault (${where})`, () => {
    let place: Stage
    let page: Page
    let troubles: string[]

    openForTests(async () => {
      const opened = await openPage(
        async (own) => {
          await rm(own.vault, { recursive: true })
          await cp(folder, own.vault, { recursive: true })
        },
        { viewport: { width: 1440, height: 900 } },
      )
      ;({ place, page, troubles } = opened)
      const isReady = `apiFetch('overview').then(async (answer) => (await answer.json()).freshness === 'fresh')`
      await page.waitForFunction(isReady, undefined, { timeout: 280_000, polling: 1000 })
      return opened
    })

    async function openNote(target: string): Promise<void> {
      await page.evaluate(`location.hash = 'note=' + encodeURIComponent(${JSON.stringify(target)})`)
      const name = target.slice(target.lastIndexOf('/') + 1)
      await page.locator('.page-note .nw-where, .page-note', { hasText: name }).first().waitFor()
      await page.locator('.page-note .nw-note').waitFor()
    }

    async function readsWell(name: string): Promise<void> {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const [width, height] of [
          [390, 844],
          [1440, 900],
        ] as const) {
          await page.setViewportSize({ width, height })
          await picture(page, `${vault.folder}-${name}-${colorScheme}-${width}`)
          expect({ name, width, overflow: await overflow(page) }).toEqual({ name, width, overflow: 0 })
          expect({ name, colorScheme, width, found: await axeViolations(page) }).toEqual({
            name,
            colorScheme,
            width,
            found: [],
          })
        }
      }
    }

    it('counts its notes, offers questions, and lists every folder and note in the tree', async () => {
      const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      await expect
        .poll(async () => Number(/([\d,]+) notes/.exec(await page.innerText('.page-welcome'))?.[1].replace(',', '')))
        .toBeGreaterThanOrEqual(vault.notes)
      await page.locator('.page-ask').first().waitFor()
      // Built up while the page is open.
      const rows = page.locator('.page-tree > ul > li > .page-row[aria-expanded]')
      await expect.poll(() => rows.count()).toBe(folders.filter(({ name }) => !name.startsWith('.')).length)
      await readsWell('welcome')
      // Every folder is opened, also those inside.
      const closed = page.locator('.page-tree [aria-expanded="false"]')
      for (let left = await closed.count(); left > 0; left = await closed.count()) await closed.first().click()
      await page.locator('.page-tree .page-row-note').last().scrollIntoViewIfNeeded()
      expect(await page.locator('.page-tree .page-row-note').count()).toBeGreaterThan(500)
      expect(await overflow(page)).toBe(0)
      await page.reload()
      await page.locator('.page-welcome').waitFor()
    })

    it('is searched, with a filter and a preview', async () => {
      await showView(page, 'Search')
      await page.getByLabel('Search your notes').fill(vault.search.words)
      await page.locator('.nw-hit').first().waitFor()
      await page.locator('.nw-preview .nw-passage').first().waitFor()
      expect(await page.locator('.nw-hits').innerText()).toMatch(vault.search.found)
      await page.getByRole('button', { name: 'Filter by folder' }).click()
      await page.getByLabel('A folder', { exact: true }).fill(vault.search.filter)
      await page
        .getByRole('option', { name: new RegExp(vault.search.filter) })
        .first()
        .click()
      await page.getByRole('button', { name: /^Remove filter In / }).waitFor()
      await page.locator('.nw-hit').first().waitFor()
      await readsWell('search')
    })

    for (const { note, shows } of vault.drawn)
      it(`shows ${note}`, async () => {
        await openNote(note)
        await page.locator(`.nw-note ${shows}`).first().waitFor()
        await readsWell(note.slice(note.lastIndexOf('/') + 1))
      })

    it('draws the graph of a note, up to three links away', async () => {
      await openNote(vault.hub.path.replace(/\.md$/, ''))
      await page.getByRole('button', { name: 'Graph', exact: true }).click()
      await page.getByLabel('How far').selectOption('3')
      await page.locator('.page-note canvas[data-rests]').waitFor()
      await page.locator('.page-note canvas').scrollIntoViewIfNeeded()
      await readsWell('graph')
    })

    it('answers a question with citations, and lists it in Activity', async () => {
      await newChat(page)
      await ask(page, vault.question.asks)
      await page.locator('.nw-turn-foot').waitFor()
      expect(await page.locator('.nw-turn').innerText()).toMatch(vault.question.cites)
      await page.locator('.nw-turn .nw-chip').first().click()
      await page.locator('.page-side .nw-note .nw-passage').first().waitFor()
      await readsWell('answer')
      await page.keyboard.press('Escape')
      await showView(page, 'Activity')
      await page.locator('.nw-activity-chat', { hasText: vault.question.asks }).first().waitFor()
      await readsWell('activity')
    })

    it('renames a note with all links to it after approval, and undoes that', async () => {
      const { from, to, path, moved, linker, link } = vault.hub
      const before = await place.treeHash()
      await newChat(page)
      await ask(page, `rename ${from} to ${to}`)
      const panel = page.locator('[data-panel]')
      await panel.waitFor()
      await readsWell('approval')
      await panel.locator('.nw-allow').click()
      await page.locator('.nw-turn-foot').waitFor()
      expect(existsSync(join(place.vault, path))).toBe(false)
      expect(await place.read(moved)).toBe(await readFile(join(folder, path), 'utf8'))
      expect(await place.read(linker)).toContain(link)
      await page.locator('.nw-turn').getByRole('button', { name: 'Undo' }).click()
      await page
        .locator('.nw-undo')
        .getByRole('button', { name: /^Undo [\d,]+ changes$/ })
        .waitFor()
      await readsWell('undo')
      await page
        .locator('.nw-undo')
        .getByRole('button', { name: /^Undo [\d,]+ changes$/ })
        .click()
      await page.locator('.nw-toast').waitFor()
      expect(await place.treeHash()).toBe(before)
    })

    it('causes no errors in the console', () => expect(troubles).toEqual([]))
  })

  if (!isThere) it.skip(`the page on a public vault (${where})`)
}
