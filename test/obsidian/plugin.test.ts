import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
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
    await page.getByText('No AI model yet').waitFor()
    await ask(plugin, 'What feeds the soil?')
    await page.locator('.nw-log').getByText('Compost feeds the soil').first().waitFor()
    await page.getByRole('group', { name: 'Sources' }).getByText('Soil').first().waitFor()
    expect(plugin.requests).toEqual([])
    expect(plugin.troubles).toEqual([])
    await page.screenshot({ path: 'test-results/obsidian/first-answer.png' })
    await plugin.close()
  })
})

describe('the released plugin', () => {
  it('has three files, supports phones, and names its oldest app version', async () => {
    const folder = await release()
    expect((await readdir(folder)).sort()).toEqual(['main.js', 'manifest.json', 'styles.css'])
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({ id: 'notewright', minAppVersion: '1.13.0', isDesktopOnly: false })
    const versions = JSON.parse(await readFile('versions.json', 'utf8'))
    expect(versions[manifest.version]).toBe(manifest.minAppVersion)
  })
})

describe("the plugin's file", () => {
  it('has no look-behind, which older iPhones reject, and writes nothing to the console', async () => {
    const code = await readFile(join(await release(), 'main.js'), 'utf8')
    expect(code.length).toBeGreaterThan(1_000_000)
    // One that is made of a text may fail where that is caught; in a literal the whole file could not be read.
    expect(lookBehinds(code)).toEqual([])
    expect(lookBehinds('/(?<=a)b/; new RegExp("(?<!a)b")')).toHaveLength(2)
    // The reader of web pages has one for its own development, which is never enabled.
    const told = code.match(/.{0,60}\bconsole\.log\(.{0,60}/g) ?? []
    expect(told.filter((around) => !around.includes('Reader: (Readability)'))).toEqual([])
  })
})

/** The patterns that look behind: literals, and those that `new RegExp` makes of one text. */
function lookBehinds(code: string): string[] {
  const patterns: string[] = []
  // Called for every node of the tree.
  JSON.stringify(parseAst(code), (_key, node) => {
    const made = node?.type === 'NewExpression' && node.callee.name === 'RegExp' && node.arguments[0]
    const pattern = node?.regex?.pattern ?? made?.value ?? made?.quasis?.[0]?.value.cooked
    if (typeof pattern === 'string' && /\(\?<[=!]/.test(pattern)) patterns.push(pattern)
    // A number may be a bigint, which has no JSON.
    return node?.type === 'Literal' ? undefined : node
  })
  return patterns
}
