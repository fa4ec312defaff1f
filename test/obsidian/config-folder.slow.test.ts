import { describe, expect, it } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { modelFront } from './model-front.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin } from './plugin-page.js'

const browser = pluginBrowser()

const call = (name: string, input: unknown): Said => ({ call: [{ name, input }] })

/** As many as are worth a worker. */
const many = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [`Beans/Note ${at}.md`, `# Note ${at}\n\nBeans, see [[Note ${at + 1}]].\n`]),
)

/** Counts workers: where the plugin's own file is not found, the index is made in the page. */
const counting =
  'globalThis.made = 0; globalThis.Worker = class extends Worker { constructor(...given) { super(...given); made++ } }'

describe('a vault whose config folder is not .obsidian', () => {
  // The app takes names with a dot alone; were there another, it would be closed all the same.
  it.each(['.garden', 'config'])(
    'but %s: its settings apply, the worker is found there, and its files are hidden',
    async (configDir) => {
      const files = {
        ...many,
        'Soil.md': '# Soil\n\nCompost feeds the soil.\n',
        'Templates/Day.md': '# Compost of {{date}}\n',
        [`${configDir}/app.json`]: '{"trashOption":"local","userIgnoreFilters":["Templates/"]}',
        [`${configDir}/daily-notes.json`]: '{"folder":"Days","format":"YYYY-MM-DD","template":"Templates/Day"}',
        [`${configDir}/Compost.md`]: 'Compost of the app.\n',
        // Files in the default folder must be ignored.
        '.obsidian/daily-notes.json': '{"folder":"Wrong"}',
        '.obsidian/app.json': '{"userIgnoreFilters":["Soil.md"]}',
      }
      const read = (path: string) => call('read_note', { path })
      const front = await modelFront([
        call('create_daily_note', { date: '2026-03-01' }),
        read(`${configDir}/plugins/notewright/data.json`),
        read(`${configDir}/Compost.md`),
        call('write_note', { path: `${configDir}/New.md`, content: 'x' }),
        { say: 'Done.' },
      ])
      const plugin = await openPlugin(browser, { files, configDir, data: front.data, script: counting })
      const { page } = plugin
      await expect.poll(() => page.evaluate('made')).toBeGreaterThan(0)
      await page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
      const found = await page.evaluate('host.app.cli.get("notewright:search")({ query: "compost" })')
      expect(found).toContain('Soil.md')
      expect(found).not.toMatch(/Day\.md|Compost\.md/)
      await plugin.run('open-chat')
      await ask(plugin, 'Make the daily note of March 1st, then look at your settings')
      await page.locator('.nw-allow').click()
      await page.locator('.nw-log').getByText('Done.').waitFor()
      expect(await plugin.read('Days/2026-03-01.md')).toContain('# Compost of 2026-03-01')
      const said = JSON.stringify(front.model.prompts().at(-1))
      expect(said).not.toContain('Compost of the app')
      expect(said).not.toContain('enableToolCalling')
      await expect(plugin.read(`${configDir}/New.md`)).rejects.toThrow('ENOENT')
      expect(plugin.troubles).toEqual([])
      await plugin.close()
      await front.stop()
    },
  )
})
