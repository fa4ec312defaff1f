import type { SettingDefinitionItem } from 'obsidian'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { settings } from '../../../core/config/index.js'
import { builtInTools, registry } from '../../../core/tools/index.js'
import type { OpenPlugin } from '../open-plugin.js'
import type { NotewrightPlugin } from '../plugin.js'
import { readPluginSettings } from '../plugin-data.js'
import { openSettingsPage } from './settings-page.js'

// Two settings that no front end knows: one in a group, one in none.
vi.mock('../../../core/config/config-schema.js', async (original) => {
  const actual = await original<typeof import('../../../core/config/config-schema.js')>()
  const text = { about: 'Made up.', expects: 'true or false' }
  const configSchema = z.extend(actual.configSchema, {
    madeUp: z
      ._default(z.boolean(), true)
      .register(actual.settingTexts, { ...text, group: 'chat' as const, label: 'Made up' }),
    alsoMadeUp: z.optional(z.enum(['a', 'b'])).register(actual.settingTexts, text),
  })
  return { ...actual, configSchema }
})

interface Row {
  name?: string
  heading?: string
  items?: Row[]
  control?: { type: string; key: string; options?: Record<string, string> }
  render?: unknown
}

const rowsIn = (items: readonly Row[]): Row[] => items.flatMap((item) => [item, ...rowsIn(item.items ?? [])])

function openPage() {
  const plugin = {
    settings: readPluginSettings({}),
    register: () => {},
    app: { secretStorage: { getSecret: () => null } },
    async saveSettings(next: unknown) {
      Object.assign(plugin, { settings: next })
    },
  }
  const tools = registry(builtInTools)
  const opened = { vault: { registry: tools, recipients: { maySend: () => true } } }
  const page = openSettingsPage(plugin as never as NotewrightPlugin, opened as never as OpenPlugin, () => {})
  return { plugin, page, items: page.definitions() as readonly (SettingDefinitionItem & Row)[] }
}

describe('the settings of the plugin', () => {
  it('have a control for every entry of the schema that has an effect in Obsidian', () => {
    const rows = rowsIn(openPage().items)
    const drawnAsLists = ['tools.enabled', 'mcpServers']
    const missing = settings
      .filter(({ key, onlyNode }) => !onlyNode && !drawnAsLists.includes(key))
      .filter(
        ({ key, label = key }) => !rows.some(({ name, control, render }) => name === label && (control || render)),
      )
    expect(missing.map(({ key }) => key)).toEqual([])
  })

  it('draw an entry that they do not know in its group, and store it', async () => {
    const { items, page, plugin } = openPage()
    const chat = items.find(({ heading }) => heading === 'Chat behavior')
    expect(chat?.items).toContainEqual({
      name: 'Made up',
      desc: 'Made up.',
      control: { type: 'toggle', key: 'madeUp' },
    })
    expect(page.value('madeUp')).toBe(true)
    await page.change('madeUp', false)
    expect(plugin.settings.config).toEqual({ madeUp: false })
    expect(page.value('madeUp')).toBe(false)
  })

  it('draw an entry without a group among the rest, with a choice of none', async () => {
    const { items, page, plugin } = openPage()
    const more = items.find(({ name }) => name === 'More settings')
    expect(more?.items).toContainEqual({
      name: 'alsoMadeUp',
      desc: 'Made up.',
      control: { type: 'dropdown', key: 'alsoMadeUp', options: { '': 'not set', a: 'a', b: 'b' } },
    })
    await page.change('alsoMadeUp', 'b')
    expect(plugin.settings.config).toEqual({ alsoMadeUp: 'b' })
    await page.change('alsoMadeUp', '')
    expect(plugin.settings.config).toEqual({})
  })
})
