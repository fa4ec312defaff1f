import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, release } from './plugin-page.js'

const browser = pluginBrowser()

const notes = {
  'Soil.md': '# Soil\n\nCompost feeds the soil, and worms carry it down.\n',
  'Beans.md': '# Beans\n\nBeans like warm soil. See [[Soil]].\n',
}

describe('the plugin, switched on for the first time', () => {
  it('answers from the notes with a citation, without a key and without a request', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const { page } = plugin
    await page.getByRole('button', { name: 'Open chat' }).click()
    await page.getByText('No language model is chosen').waitFor()
    await ask(plugin, 'What feeds the soil?')
    await page.locator('.nw-log').getByText('Compost feeds the soil').first().waitFor()
    await page.getByText('Soil.md').first().waitFor()
    expect(plugin.requests).toEqual([])
    expect(plugin.troubles).toEqual([])
    await page.screenshot({ path: 'test-results/obsidian/first-answer.png' })
    await plugin.close()
  })
})

describe('what a person installs', () => {
  it('is three files, for phones as well, and for no older app than it was made for', async () => {
    const folder = await release()
    expect((await readdir(folder)).sort()).toEqual(['main.js', 'manifest.json', 'styles.css'])
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({ id: 'notewright', minAppVersion: '1.13.0', isDesktopOnly: false })
    const versions = JSON.parse(await readFile('versions.json', 'utf8'))
    expect(versions[manifest.version]).toBe(manifest.minAppVersion)
  })
})

describe("the plugin's file", () => {
  it('has no look-behind that an older iPhone would stumble over, and writes nothing on the console', async () => {
    const code = await readFile(join(await release(), 'main.js'), 'utf8')
    expect(code.length).toBeGreaterThan(1_000_000)
    // One that is made of a text may fail where that is caught; in a literal the whole file could not be read.
    const made = await transform(code, { supported: { 'regexp-lookbehind-assertions': false }, charset: 'utf8' })
    expect(made.code.match(/new RegExp\("[^"]*\(\?<[!=].{0,60}/g)).toBeNull()
    const known = await transform('/(?<=a)b/', { supported: { 'regexp-lookbehind-assertions': false } })
    expect(known.code).toMatch(/new RegExp\("[^"]*\(\?<[!=]/)
    // The reader of web pages has one for whoever works on it, which nobody switches on.
    const told = code.match(/.{0,60}\bconsole\.log\(.{0,60}/g) ?? []
    expect(told.filter((around) => !around.includes('Reader: (Readability)'))).toEqual([])
  })
})
