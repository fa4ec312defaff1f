import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import { redPng } from '../browser/red-png.js'
import type { Stage } from '../e2e/cli-harness.js'
import { axeViolations } from '../ui/story-page.js'
import { backToChat, newChat, openPage, showView } from './served-page.js'

const peas = `---
tags: [garden/legumes]
sown: 2026-03-01
keeper: "[[Garden/Beans]]"
parents:
  - "[[Soup]]"
site: https://example.com/peas
done: true
litres: 12
---
# Peas

They follow [[Garden/Beans|the beans]] and [[Nowhere]].

## Soil

Peas like lime.

## Soil

Again.
`

let place: Stage
let page: Page
let troubles: string[]

async function writeFiles(place: Stage): Promise<void> {
  await place.write('Peas.md', peas)
  await place.write('Linker.md', `${'Words before it. '.repeat(20)}see [[Peas]] for more.\n`)
  await place.write('Windows.md', 'one\r\ntwo\nthree\r\n')
  await place.write(
    'Board.canvas',
    '{"nodes":[{"id":"a","type":"text","text":"**Plan**","x":0,"y":0,"width":9,"height":9},{"id":"b","type":"file","file":"Peas.md","x":0,"y":0,"width":9,"height":9}],"edges":[{"id":"e","fromNode":"a","toNode":"b"}]}',
  )
  await place.write('Broken.canvas', '{')
  await writeFile(join(place.vault, 'red.png'), redPng(20, 10))
  await writeFile(
    join(place.vault, 'Old.md'),
    Buffer.from('A café with a few more words in its old encoding.\n', 'latin1'),
  )
}

openForTests(async () => {
  const opened = await openPage(writeFiles, { viewport: { width: 1300, height: 850 } })
  ;({ place, page, troubles } = opened)
  return opened
})

const note = () => page.locator('.page-note .nw-note')
const editor = () => page.locator('.cm-content')
const title = (name: string) => page.getByRole('heading', { name, level: 1 })
const rail = (name: string) => page.getByRole('region', { name, exact: true })

/** The note as a page, from anywhere. */
async function openNote(target: string): Promise<void> {
  // The note before is shown for a moment more.
  await page.evaluate(`{
    const hash = '#note=' + encodeURIComponent(${JSON.stringify(target)})
    if (location.hash !== hash) {
      for (const old of document.querySelectorAll('.page-note, .page-note-trouble')) old.setAttribute('data-old', '')
      location.hash = hash
    }
  }`)
  await page.locator(':is(.page-note, .page-note-trouble):not([data-old])').first().waitFor()
}

async function edit(target: string): Promise<void> {
  await openNote(target)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  // What is typed before it has the focus goes elsewhere.
  await page.locator('.cm-focused').waitFor()
}

async function inBothThemes(check: () => Promise<void>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await check()
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

describe('a note as a page', () => {
  it('is rendered with its title, and its properties by their types', async () => {
    await openNote('Peas')
    await title('Peas').waitFor()
    await expect.poll(() => note().locator('h2, h3').allInnerTexts()).toEqual(['Peas', 'Soil', 'Soil'])
    const properties = await note().locator('.nw-props').innerText()
    expect(properties).toContain('garden/legumes')
    expect(properties).toContain('March 1, 2026')
    expect(properties).toMatch(/done\s+Yes/)
    expect(await note().getByRole('link', { name: 'https://example.com/peas' }).count()).toBe(1)
    expect(await note().getByRole('button', { name: 'Soup' }).count()).toBe(1)
    expect(await note().innerText()).not.toContain('---')
    await inBothThemes(async () => expect(await axeViolations(page)).toEqual([]))
  })

  it('leads to its backlinks with their line, its links, related notes and headings', async () => {
    await openNote('Peas')
    const backlink = rail('Backlinks').getByRole('button', { name: /^Linker/ })
    expect(await backlink.innerText()).toMatch(/…[\s\S]*see Peas for more/)
    await rail('Links').getByText('Nowhere').waitFor()
    await rail('Outline').getByRole('button', { name: 'Soil' }).nth(1).click()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Soil')
    await backlink.click()
    await title('Linker').waitFor()
    await page.locator('.nw-passage').waitFor()
    await page.goBack()
    await title('Peas').waitFor()
    await rail('Links').getByRole('button', { name: 'Beans' }).click()
    await title('Beans').waitFor()
    await rail('Related').waitFor()
  })

  it('has links and tags that lead on, and a question about it', async () => {
    await openNote('Peas')
    await note().getByRole('button', { name: 'the beans' }).click()
    await title('Beans').waitFor()
    await page.goBack()
    await note().getByRole('button', { name: 'garden/legumes' }).click()
    await page.getByRole('button', { name: 'Remove filter #garden/legumes' }).waitFor()
    await page.locator('.nw-hit', { hasText: 'Peas' }).waitFor()
    await openNote('Peas')
    await page.getByRole('button', { name: 'Ask about this note' }).click()
    await expect.poll(() => page.getByLabel('Your question').inputValue()).toBe('@[[Peas]] ')
    await page.getByLabel('Your question').fill('')
  })

  it('comes back when the page is loaded again', async () => {
    await openNote('Peas')
    await page.reload()
    await title('Peas').waitFor()
  })

  it('beside a chat can be opened as a page', async () => {
    await newChat(page)
    await page.getByLabel('Your question').fill('What do peas follow?')
    await page.keyboard.press('Enter')
    await page.locator('.nw-turn-foot').waitFor()
    await page.locator('.nw-turn .nw-chip').first().click()
    await page.locator('.page-side .nw-note').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.locator('.page-side').getByRole('button', { name: 'Open as a page' }).click()
    await page.locator('.page-note:not(.page-note-side) .nw-note').waitFor()
  })
})

describe('a file that is no note', () => {
  it('is shown: a canvas as its cards, a picture, and what cannot be read with the reason', async () => {
    await openNote('Board.canvas')
    expect(await note().innerText()).toContain('A canvas with 2 cards and 1 connection.')
    expect(await note().innerText()).toContain('leads to Peas')
    expect(await axeViolations(page)).toEqual([])
    await note().getByRole('button', { name: 'Peas' }).click()
    await title('Peas').waitFor()
    await openNote('red.png')
    await note().getByRole('img', { name: 'red.png' }).waitFor()
    expect(
      await note()
        .getByRole('link', { name: /^Save the picture/ })
        .getAttribute('download'),
    ).toBe('red.png')
    await openNote('Broken.canvas')
    await page.getByText('This file cannot be read').waitFor()
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    await openNote('No such note')
    await page.getByText('The note cannot be shown').waitFor()
    await openNote('Old')
    await page.getByText('This note is not valid UTF-8').waitFor()
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  })
})

describe('the editor', () => {
  it('saves with Ctrl+S as a change that Activity undoes, and Escape leaves it', async () => {
    await edit('Peas')
    await inBothThemes(async () => expect(await axeViolations(page)).toEqual([]))
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Typed here.')
    await page.getByText('Not saved yet').waitFor()
    expect(await place.read('Peas.md')).toBe(peas)
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await place.read('Peas.md')).toBe(`${peas}Typed here.`)
    await page.keyboard.press('Escape')
    await note().getByText('Typed here.').waitFor()
    await showView(page, 'Activity')
    await page.getByText('Edit Peas.md').first().waitFor()
    await page.getByRole('button', { name: /^Undo/ }).first().click()
    await page.getByRole('button', { name: 'Undo 1 change' }).click()
    await expect.poll(() => place.read('Peas.md')).toBe(peas)
  })

  it('changes no line break of a line that was not edited', async () => {
    await edit('Windows')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('four')
    await page.getByRole('button', { name: 'Done' }).click()
    await note().waitFor()
    expect(await place.read('Windows.md')).toBe('one\r\ntwo\nthree\r\nfour')
  })

  it('keeps what was typed over a reload at any moment, and over leaving', async () => {
    await edit('Garden/Tomatoes')
    const before = await place.read('Garden/Tomatoes.md')
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('never lost ')
    await page.reload()
    await expect.poll(() => editor().innerText()).toContain('never lost')
    await page.getByText('Not saved yet').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('You have unsaved text in this note.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue editing' }).click()
    await expect.poll(() => editor().innerText()).toContain('never lost')
    await page.keyboard.press('Escape')
    await showView(page, 'Activity')
    await openNote('Garden/Tomatoes')
    await page.getByText('You have unsaved text in this note.').waitFor()
    expect(await place.read('Garden/Tomatoes.md')).toBe(before)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('You have unsaved text in this note.').waitFor({ state: 'detached' })
  })

  const conflicted = async (name: string, typed: string, saved: string) => {
    await place.write(name, 'first\nsecond\nthird\n')
    await expect
      .poll(() => page.evaluate(`apiFetch('note?target=${name}').then((answer) => answer.text())`))
      .toContain('second')
    await edit(name)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type(typed)
    await place.write(name, saved)
    await page.keyboard.press('Control+s')
    await page.getByRole('region', { name: 'Changed meanwhile' }).waitFor()
    expect(await place.read(name)).toBe(saved)
  }

  it('shows both versions of a note that was changed meanwhile, and merges them', async () => {
    await conflicted('Merge.md', 'my ', 'first\nsecond\nthird, theirs\n')
    expect(await page.getByRole('region', { name: 'Changed meanwhile' }).innerText()).toContain('third, theirs')
    await inBothThemes(async () => expect(await axeViolations(page)).toEqual([]))
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await place.read('Merge.md')).toBe('my first\nsecond\nthird, theirs\n')
  })

  it('keeps both versions of a line that both changed', async () => {
    await conflicted('Both.md', 'my ', 'their first\nsecond\nthird\n')
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await place.read('Both.md')).toBe('their first\nmy first\nsecond\nthird\n')
  })

  it('keeps mine or the saved version, as chosen; the other can be brought back by undo', async () => {
    await conflicted('Mine.md', 'my ', 'theirs\n')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await place.read('Mine.md')).toBe('my first\nsecond\nthird\n')
    await conflicted('Theirs.md', 'my ', 'theirs\n')
    await page.getByRole('button', { name: 'Use the saved version' }).click()
    await expect.poll(() => editor().innerText()).not.toContain('my first')
    await page.keyboard.press('Control+z')
    await expect.poll(() => editor().innerText()).toContain('my first')
    await page.keyboard.press('Control+y')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await place.read('Theirs.md')).toBe('theirs\n')
  })

  it('says why a note could not be saved, and keeps the text', async () => {
    await edit('Soup')
    await page.keyboard.type('x')
    await page.route('**/api/note', (route) => route.abort())
    await page.keyboard.press('Control+s')
    await page.getByText('The note could not be saved').waitFor()
    await page.unroute('**/api/note')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByText('The note could not be saved').waitFor({ state: 'detached' })
  })

  it('shows notes related to what is written, once the typing rests, and so does the question', async () => {
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/related') && asked.push(request.postData() ?? ''))
    await edit('Linker')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Peas like lime in the soil', { delay: 20 })
    const related = page.getByRole('region', { name: 'Related to what you write' })
    await related.getByRole('button', { name: 'Peas' }).waitFor()
    // One request for the note as it was opened, one after the last key: none between.
    expect(asked.length).toBeLessThan(4)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await newChat(page)
    await page.getByLabel('Your question').fill('Do peas like lime in their soil?')
    await related.getByRole('button', { name: 'Peas' }).click()
    await page.locator('.page-side .nw-note').waitFor()
    await page.getByLabel('Your question').fill('')
    await related.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  })
})

describe('the search', () => {
  const field = () => page.getByLabel('Search your notes')
  const option = (name: string | RegExp) => page.getByRole('option', { name })
  const chip = (name: string) => page.getByRole('button', { name: `Remove filter ${name}` })

  it('moves by arrows with a preview, opens with Enter, and comes back as it was', async () => {
    await page.keyboard.press('Control+Shift+f')
    await field().fill('beans lime')
    await option(/^Peas/).waitFor()
    await page.locator('.nw-preview .nw-passage').waitFor()
    expect(await page.locator('.nw-hit mark').allInnerTexts()).toContain('lime')
    await inBothThemes(async () => expect(await axeViolations(page)).toEqual([]))
    const first = await page.locator('.nw-hit[aria-selected="true"] .nw-hit-title').innerText()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator('.nw-hit[aria-selected="true"] .nw-hit-title').innerText()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await title(first).waitFor()
    await page.goBack()
    await expect.poll(() => field().inputValue()).toBe('beans lime')
    await field().focus()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.getByLabel('Your question').inputValue()).toContain('@[[Peas]]')
    await page.getByLabel('Your question').fill('')
    await showView(page, 'Search')
    await page.locator('.nw-preview').getByRole('button', { name: 'Ask about it' }).click()
    await expect.poll(() => page.getByLabel('Your question').inputValue()).toContain('@[[')
    await page.getByLabel('Your question').fill('')
    await showView(page, 'Search')
    await page.locator('.nw-preview').getByRole('button', { name: 'Open', exact: true }).click()
    await note().waitFor()
  })

  it('has filters with completion, as chips that can be removed', async () => {
    await showView(page, 'Search')
    await field().fill('beans')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('button', { name: 'Filter by tag' }).click()
    await page.getByLabel('A tag', { exact: true }).fill('legu')
    await option('garden/legumes').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await chip('#garden/legumes').waitFor()
    await option(/^Peas/).waitFor()
    await page.getByRole('button', { name: 'Filter by property' }).click()
    await page.getByLabel('A property, as status: done').fill('lit')
    await option('litres').click()
    await option('litres: 12').click()
    await chip('litres: 12').waitFor()
    await page.getByRole('button', { name: 'Filter by folder' }).click()
    await page.getByLabel('A folder', { exact: true }).fill('Garden')
    await option('Garden').click()
    await page.getByText('No matches').waitFor()
    expect(await page.locator('.nw-empty').innerText()).toContain(
      'Only notes with: #garden/legumes, litres: 12, In Garden.',
    )
    expect(await axeViolations(page)).toEqual([])
    await chip('In Garden').click()
    await option(/^Peas/).waitFor()
    await page.getByRole('button', { name: 'Filter by date' }).click()
    await page.getByRole('button', { name: 'Changed today' }).click()
    await chip('Changed today').waitFor()
    await page.getByRole('button', { name: 'Filter by date' }).click()
    await page.getByLabel('From').fill('2001-01-01')
    await page.getByLabel('to', { exact: true }).fill('2001-02-01')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await chip('Changed from 2001-01-01 until 2001-02-01').waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await chip('litres: 12').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Filter by tag' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Filter by tag')
  })

  it('says what was searched instead of showing notes that have only function words in common', async () => {
    await showView(page, 'Search')
    await field().fill('how does the zzgrmpf in a wvkxq')
    await page.getByText('No matches').waitFor()
    expect(await page.locator('.nw-empty').innerText()).toContain('Searched for “zzgrmpf”, “wvkxq”.')
    await page.getByRole('button', { name: 'Ask instead' }).click()
    await expect.poll(() => page.getByLabel('Your question').inputValue()).toBe('how does the zzgrmpf in a wvkxq')
    await page.getByLabel('Your question').fill('')
    await showView(page, 'Search')
    await field().focus()
    await page.keyboard.press('Escape')
    expect(await field().inputValue()).toBe('')
  })

  it('opens a note with one press on a phone, where everything fits its width', async () => {
    await showView(page, 'Search')
    await page.setViewportSize({ width: 390, height: 844 })
    await field().fill('soil lime')
    await option(/^Peas/).waitFor()
    const overflow = 'document.documentElement.scrollWidth - innerWidth'
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    expect(await axeViolations(page)).toEqual([])
    await option(/^Peas/).click()
    await title('Peas').waitFor()
    await note().waitFor()
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await editor().waitFor()
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1300, height: 850 })
    await backToChat(page)
  })
})

it('causes no errors in the console', () => expect(troubles).toEqual([]))
