import type { SettingDefinitionItem } from 'obsidian'
import { parseRules, ruleVocabulary, type StoredGrant } from '../../../core/approval/index.js'
import {
  checkConfig,
  findSetting,
  parseSettingText,
  settingGroups,
  valueAt,
  withValueAt,
} from '../../../core/config/index.js'
import type { NotebookStatus } from '../../../core/index/index.js'
import type { ListedServer } from '../../../core/mcp/index.js'
import { type ListedMemory, listMemories } from '../../../core/memory.js'
import { projectRows } from '../../../core/session/index.js'
import { scalarText } from '../../../core/text/index.js'
import { enabledTools, withToolSwitched } from '../../../core/tools/index.js'
import {
  configOf,
  effectiveSettings,
  knownNames,
  ownSettings,
  type PluginSettings,
  type PluginVault,
} from '../../../hosts/obsidian/index.js'
import { failureOf, noticeOf } from '../failure-of.js'
import type { OpenPlugin } from '../open-plugin.js'
import type { NotewrightPlugin } from '../plugin.js'
import { readPluginSettings } from '../plugin-data.js'
import {
  indexGroup,
  memoryGroups,
  moreSettings,
  privacyGroups,
  projectRow,
  settingDefinitions,
  settingGroup,
  toolsGroups,
} from './groups.js'
import { providerPages } from './provider-pages.js'
import type { Save } from './rows.js'
import { type ServerFormState, serversGroup } from './servers.js'
import { trustRow } from './trust-rows.js'

/**
 * Definitions of the settings tab, and how its values are stored. Each control is keyed by a setting, or `tool:` and a
 * tool.
 */
export interface SettingsPage {
  definitions(): SettingDefinitionItem[]
  value(key: string): unknown
  change(key: string, value: unknown): Promise<void>
  /** Reloads data that may have changed while hidden. */
  refresh(): Promise<void>
}

/** Values from which the groups are built. */
export interface SettingsContext {
  plugin: NotewrightPlugin
  opened: OpenPlugin
  known: SettingsData
  /** The value as text for its field. */
  text: (key: string) => string
  save: Save
  /** Something is there that is drawn elsewhere on the page. */
  onNews: () => void
  refresh: () => Promise<void>
}

/** The name under which the plugin stores a setting itself; undefined for those in its configuration. */
function ownName(key: string): keyof PluginSettings | undefined {
  if (Object.hasOwn(knownNames, key)) return knownNames[key as keyof typeof knownNames]
  const isOwn = key === 'project' || ownSettings.some((setting) => setting.key === key)
  return isOwn ? (key as keyof PluginSettings) : undefined
}

export function openSettingsPage(plugin: NotewrightPlugin, opened: OpenPlugin, onNews: () => void): SettingsPage {
  const { vault } = opened
  let known: SettingsData = { grants: [], memories: [], projects: [] }
  plugin.register(vault.registry.onChange(onNews))
  const config = () => configOf(plugin.settings).config

  /** Validated against the schema before it is stored: invalid values never are. */
  function changed(key: string, value: unknown): Record<string, unknown> {
    const written = value === '' ? undefined : typeof value === 'string' ? parsed(key, value) : value
    const next = withValueAt(plugin.settings.config, key, written)
    checkConfig(next, 'The settings')
    const [, effect] = /^permissions\.(\w+)$/.exec(key) ?? []
    if (effect !== undefined) parseRules([{ from: 'config', [effect]: written }], ruleVocabulary(vault.registry))
    return next
  }

  function value(key: string): unknown {
    const name = ownName(key)
    if (name !== undefined) return plugin.settings[name]
    if (key.startsWith('tool:')) return enabledTools(config().tools.enabled, vault.registry).has(key.slice(5))
    return valueAt(config(), key)
  }

  async function change(key: string, given: unknown): Promise<void> {
    const { settings } = plugin
    const name = ownName(key)
    if (name !== undefined) return plugin.saveSettings(readPluginSettings({ ...settings, [name]: given }))
    const { enabled } = config().tools
    const next = key.startsWith('tool:')
      ? changed('tools.enabled', withToolSwitched(enabled, key.slice(5), given === true, vault.registry))
      : changed(key, given)
    await plugin.saveSettings({ ...settings, config: next })
  }

  const parts: SettingsContext = {
    plugin,
    opened,
    get known() {
      return known
    },
    text(key) {
      const shown = value(key)
      if (findSetting(key)?.form.takes === 'json') return shown === undefined ? '' : JSON.stringify(shown, null, 2)
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
    known = await loadSettingsData(opened)
    onNews()
  }

  const servers: ServerFormState = { typed: {}, looked: new Map() }
  return {
    definitions: () => [
      ...waitingRows(parts),
      ...settingDefinitions(['answers'], parts),
      projectRow(parts),
      ...settingDefinitions(['consent'], parts),
      { type: 'group', heading: 'Providers', items: providerPages(parts) },
      settingGroup('models', parts),
      { type: 'group', heading: settingGroups.chat, items: settingDefinitions(['chat', 'tools'], parts) },
      ...privacyGroups(parts),
      ...toolsGroups(vault.registry, parts),
      settingGroup('web', parts),
      serversGroup(parts, servers),
      ...memoryGroups(parts),
      indexGroup(parts),
      settingGroup('kept', parts),
      moreSettings(parts),
    ],
    value,
    change,
    refresh,
  }
}

/** Settings from another device that are not active on this one yet. */
function waitingRows({ plugin, onNews }: SettingsContext): SettingDefinitionItem[] {
  const { waiting } = effectiveSettings(plugin.settings, plugin.agreed ?? {})
  if (waiting.length === 0) return []
  return [
    trustRow('Settings from another device', plugin, {
      asked: { argv: waiting, given: [] },
      kind: 'settings',
      wants: 'Settings from another device want',
      where: 'on this device',
      onTrust: () => void plugin.agree().then(onNews),
    }),
  ]
}

/** A value as it was typed. Entries of a list are lines. */
function parsed(key: string, text: string): unknown {
  const setting = findSetting(key)
  if (setting === undefined) return text
  return setting.form.takes === 'list' ? linesOf(text) : parseSettingText(setting, text)
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Vault data shown in the settings. Loaded before drawing, which is synchronous. */
export interface SettingsData {
  grants: StoredGrant[]
  memories: ListedMemory[]
  projects: string[]
  /** undefined while the index cannot be asked. */
  index?: NotebookStatus | undefined
  servers?: KnownServers
}

interface KnownServers {
  startsPrograms: boolean
  /** Servers by the current settings and the vault data as loaded. */
  list: () => ListedServer[]
}

export async function loadSettingsData({ vault }: OpenPlugin): Promise<SettingsData> {
  const [grants, memories, projects, index, servers] = await Promise.all([
    vault.grants.load(),
    // The page is drawn without the rows that cannot be read.
    listMemories(vault.notebook.vault, vault.settings.memory.note).catch(() => []),
    projectNames(vault).catch(() => []),
    vault.notebook.status().catch(() => undefined),
    knownServers(vault),
  ])
  return { grants, memories, projects, index, servers }
}

async function knownServers(vault: PluginVault): Promise<KnownServers> {
  const servers = await vault.toolServers()
  const here = await servers.known()
  return { startsPrograms: servers.startsPrograms, list: () => servers.list(here) }
}

/** Projects visible under the user's own rules. */
async function projectNames(vault: PluginVault): Promise<string[]> {
  const session = await vault.openSession({ keep: false, canAsk: false })
  try {
    return (await projectRows(vault, session)).map(({ name }) => name)
  } finally {
    await session.close()
  }
}
