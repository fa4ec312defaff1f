import type { SettingDefinitionItem } from 'obsidian'
import { parseRules, ruleVocabulary } from '../../../core/approval/index.js'
import { checkConfig, settingNamed, valueAt, withValueAt } from '../../../core/config/index.js'
import { scalarText } from '../../../core/text/index.js'
import { type ChatBehavior, configOf } from '../../../hosts/obsidian/index.js'
import { failureOf, noticeOf } from '../failure-of.js'
import type { OpenPlugin } from '../open-plugin.js'
import type { NotewrightPlugin } from '../plugin.js'
import { readSettings } from '../plugin-data.js'
import { answeringRows, chatBehaviorGroup } from './chat-groups.js'
import { indexGroup, keepingGroup, memoryGroups } from './keeping-groups.js'
import { privacyGroups } from './privacy-groups.js'
import { providerPages } from './provider-pages.js'
import type { Save } from './rows.js'
import { serversGroup } from './server-pages.js'
import { nothingTyped, type ServersAtHand } from './servers-at-hand.js'
import { slowModelsGroup } from './slow-models-group.js'
import { toolGroups, toolsOn, withTool } from './tool-groups.js'
import { webGroup } from './web-group.js'
import { type Known, readKnown } from './what-is-known.js'

/** What the settings tab shows and stores. Every control names a setting, or `tool:` and a tool. */
export interface SettingsPage {
  definitions(): SettingDefinitionItem[]
  value(key: string): unknown
  change(key: string, value: unknown): Promise<void>
  /** Looks again at what may have changed while nobody looked. */
  refresh(): Promise<void>
}

/** What the groups are made of. */
export interface PageParts {
  plugin: NotewrightPlugin
  opened: OpenPlugin
  known: Known
  /** As the field of a setting shows it. */
  text: (key: string) => string
  save: Save
  /** Something is there that is drawn elsewhere on the page. */
  onNews: () => void
  refresh: () => Promise<void>
}

const own: readonly (keyof ChatBehavior | 'debug' | 'project')[] = [
  'stream',
  'generateAtCursor',
  'autoInferTitle',
  'enableToolCalling',
  'pluginSystemMessage',
  'headingLevel',
  'project',
  'debug',
]
const isOwn = (key: string): key is (typeof own)[number] => (own as readonly string[]).includes(key)

export function openSettingsPage(plugin: NotewrightPlugin, opened: OpenPlugin, onNews: () => void): SettingsPage {
  const { vault } = opened
  let known: Known = { grants: [], memories: [], projects: [] }
  plugin.register(vault.registry.onChange(onNews))
  const config = () => configOf(plugin.settings).config

  /** Held against the schema before it is stored: what cannot be understood never is. */
  function changed(key: string, value: unknown): Record<string, unknown> {
    const isList = settingNamed(key)?.form.takes === 'list'
    const written = isList && typeof value === 'string' ? linesOf(value) : value === '' ? undefined : value
    const next = withValueAt(plugin.settings.config, key, written)
    checkConfig(next, 'The settings')
    const [, effect] = /^permissions\.(\w+)$/.exec(key) ?? []
    if (effect !== undefined) parseRules([{ from: 'config', [effect]: written }], ruleVocabulary(vault.registry))
    return next
  }

  function value(key: string): unknown {
    if (isOwn(key)) return plugin.settings[key]
    if (key.startsWith('tool:')) return toolsOn(vault.registry, config().tools.enabled).has(key.slice(5))
    return valueAt(config(), key)
  }

  async function change(key: string, given: unknown): Promise<void> {
    const { settings } = plugin
    if (isOwn(key)) return plugin.saveSettings(readSettings({ ...settings, [key]: given }))
    const { enabled } = config().tools
    const next = key.startsWith('tool:')
      ? changed('tools.enabled', withTool(vault.registry, enabled, key.slice(5), given === true))
      : changed(key, given)
    await plugin.saveSettings({ ...settings, config: next })
  }

  const parts: PageParts = {
    plugin,
    opened,
    get known() {
      return known
    },
    text(key) {
      const shown = value(key)
      return Array.isArray(shown) ? shown.join('\n') : scalarText(shown)
    },
    async save(key, given) {
      try {
        await change(key, given)
        return undefined
      } catch (error) {
        return noticeOf(failureOf(error))
      }
    },
    onNews,
    refresh,
  }

  async function refresh(): Promise<void> {
    known = await readKnown(opened)
    onNews()
  }

  const servers: ServersAtHand = { typed: nothingTyped, looked: new Map() }
  const guidance = { written: (name: string) => parts.text(`tools.${name}.guidance`), save: parts.save }
  return {
    definitions: () => [
      ...answeringRows(parts),
      { type: 'group', heading: 'Providers', items: providerPages(parts) },
      slowModelsGroup(parts),
      chatBehaviorGroup(parts),
      ...privacyGroups(parts),
      ...toolGroups(vault.registry, guidance),
      webGroup(parts),
      serversGroup(parts, servers),
      ...memoryGroups(parts),
      indexGroup(parts),
      keepingGroup(),
    ],
    value,
    change,
    refresh,
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
