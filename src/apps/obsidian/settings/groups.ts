import type {
  SettingDefinition,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionPage,
  SettingGroupItem,
} from 'obsidian'
import {
  guidanceSettings,
  type Setting,
  type SettingGroup,
  settingGroups,
  settings,
} from '../../../core/config/index.js'
import { planForget } from '../../../core/memory.js'
import { count, visibleText } from '../../../core/text/index.js'
import type { Registry, Tool } from '../../../core/tools/index.js'
import { configOf, ownSettings, recipientOfSearchKey, webSearchService } from '../../../hosts/obsidian/index.js'
import { freshnessWords, grantRow, permissionWords, toolGroups, toolRow, toolWords } from '../../../ui/index.js'
import { failureOf, noticeOf } from '../failure-of.js'
import { choiceRow, type Save, secretField, settingDefinition, typedRow } from './rows.js'
import type { SettingsContext } from './settings-page.js'
import { keyTrustRows } from './trust-rows.js'

/** The settings of these groups, each drawn from the schema unless it needs a row of its own. */
export function settingDefinitions(groups: readonly SettingGroup[], parts: SettingsContext): SettingDefinition[] {
  const inGroups = ({ group, onlyNode }: Setting) => group !== undefined && groups.includes(group) && !onlyNode
  return [...settings, ...ownSettings]
    .filter(inGroups)
    .flatMap((setting) => specialRows[setting.key]?.(setting, parts) ?? [settingDefinition(setting, parts)])
}

export function settingGroup(group: SettingGroup, parts: SettingsContext): SettingDefinitionGroup {
  return { type: 'group', heading: settingGroups[group], items: settingDefinitions([group], parts) }
}

/** A page of the settings that are in no group, under their names. */
export function moreSettings(parts: SettingsContext): SettingDefinitionPage {
  const inNone = ({ key, group, onlyNode }: Setting) =>
    group === undefined && !onlyNode && !drawnElsewhere.includes(key)
  return {
    type: 'page',
    name: 'More settings',
    desc: 'All other settings, by their names in the settings file.',
    items: [...settings, ...ownSettings].filter(inNone).map((setting) => settingDefinition(setting, parts)),
  }
}

/** Switches for tools, and the pages of servers. */
const drawnElsewhere = ['tools.enabled', 'mcpServers']

/** Settings that need more than a field. */
const specialRows: Record<string, (setting: Setting, parts: SettingsContext) => SettingDefinition[]> = {
  model: modelRows,
  'web.searchUrl': searchUrlRows,
  'web.searchKey': searchKeyRows,
  'memory.note': memoryNoteRows,
}

function modelRows({ key, label = key }: Setting, { plugin, text, save }: SettingsContext): SettingDefinition[] {
  const model = text(key)
  const models = [...new Set(['offline', model, ...plugin.settings.models])]
  const desc =
    'The model that answers. Without a model, your notes are searched and quoted, and nothing is sent. Test a connection on the page of a provider to list its models here.'
  return [
    choiceRow(
      { key, name: label, desc },
      models.map((name) => ({ value: name, label: name === 'offline' ? 'No model' : name })),
    ),
    typedRow({
      key,
      name: 'Model by name',
      desc: 'For a model that is not in the list: provider/model, for example ollama/qwen3:8b or openai/gpt-5.',
      placeholder: 'provider/model',
      value: () => (text(key) === 'offline' ? '' : text(key)),
      save,
    }),
  ]
}

/** The part of the vault that new conversations are about. */
export function projectRow({ plugin, known }: SettingsContext): SettingDefinition {
  const { project } = plugin.settings
  const projects = [...new Set([...known.projects, ...(project ? [project] : [])])]
  return choiceRow(
    {
      key: 'project',
      name: 'Project',
      desc: 'The part of the vault that new chats can use. Other notes are hidden from them.',
    },
    [{ value: '', label: 'The whole vault' }, ...projects.map((name) => ({ value: name, label: name }))],
  )
}

/** Entering an address approves it for the key. */
function searchUrlRows(setting: Setting, parts: SettingsContext): SettingDefinition[] {
  const { plugin, opened, save } = parts
  const web = () => configOf(plugin.settings).config.web
  const row = settingDefinition(setting, {
    ...parts,
    async save(key, written) {
      const searchUrl = String(written).trim()
      // Which engine it is for may be chosen later.
      const { searchEngine = 'custom' } = web()
      const entered = URL.canParse(searchUrl) ? recipientOfSearchKey({ ...web(), searchEngine, searchUrl }) : undefined
      if (entered !== undefined) await opened.vault.recipients.trust(entered)
      return save(key, searchUrl)
    },
  })
  return [row, ...keyTrustRows('web search', recipientOfSearchKey(web()), parts)]
}

function searchKeyRows({ key, label = key }: Setting, { plugin, onNews }: SettingsContext): SettingDefinition[] {
  const row: SettingDefinition = {
    name: label,
    desc: "Only if the service needs one. Stored in Obsidian's secret storage.",
    render(setting) {
      secretField(setting, plugin, plugin.settings.secrets[webSearchService], (secret) => {
        const { [webSearchService]: _, ...others } = plugin.settings.secrets
        const secrets = secret ? { ...others, [webSearchService]: secret } : others
        void plugin.saveSettings({ ...plugin.settings, secrets }).then(onNews)
      })
    },
  }
  return [row]
}

/** Another note has other memories to show. */
function memoryNoteRows(setting: Setting, parts: SettingsContext): SettingDefinition[] {
  const { save, refresh } = parts
  const saveAndRefresh: Save = async (key, value) => {
    const wrong = await save(key, value)
    if (wrong === undefined) await refresh()
    return wrong
  }
  return [settingDefinition(setting, { ...parts, save: saveAndRefresh })]
}

/** A switch for each tool, in groups; tools that are always on have none. */
export function toolsGroups(registry: Registry, parts: SettingsContext): SettingDefinitionItem[] {
  return toolGroups(registry.all().map(({ tool }) => tool)).map(({ heading, tools }) => {
    const items: SettingGroupItem[] = [...tools.map(switchOf), guidancePage(heading, tools, parts)]
    return { type: 'group', heading, items }
  })
}

function switchOf(tool: Tool): SettingDefinition {
  const { name, title, about, canSwitch, withheld, badges } = toolRow(tool)
  const words = [...(canSwitch ? [] : [`${toolWords.alwaysOn}.`]), about, ...badges.map((badge) => `${badge}.`)]
  const shown = { name: title, desc: words.join(' '), aliases: [name] }
  if (!canSwitch) return shown
  return { ...shown, control: { type: 'toggle', key: `tool:${name}`, disabled: withheld !== undefined } }
}

function guidancePage(heading: string, tools: readonly Tool[], parts: SettingsContext): SettingGroupItem {
  return {
    type: 'page',
    name: `${toolWords.guidance}: ${heading.toLowerCase()}`,
    desc: toolWords.guidanceAbout,
    items: tools.flatMap(({ name, title, guidance = '' }) =>
      guidanceSettings(name).map((setting) => {
        const label = `${visibleText(title).text}: ${setting.label?.toLowerCase()}`
        return settingDefinition({ ...setting, label, placeholder: guidance }, parts)
      }),
    ),
  }
}

/** The rules, and the decisions that were remembered. */
export function privacyGroups(parts: SettingsContext): SettingDefinitionItem[] {
  const { opened, known, refresh } = parts
  const revoke = async (index: number) => {
    const grant = known.grants[index]
    if (grant !== undefined) await opened.vault.grants.revoke(grant.id)
    await refresh()
  }
  return [
    settingGroup('privacy', parts),
    {
      type: 'list',
      heading: permissionWords.grants,
      emptyState: permissionWords.noGrants,
      items: known.grants.map((grant) => {
        const { title, code, about } = grantRow(grant)
        return { name: title, desc: `${code}. ${about}` }
      }),
      onDelete: (index) => void revoke(index),
    },
  ]
}

/** Lists memories and the note they are stored in. */
export function memoryGroups(parts: SettingsContext): SettingDefinitionItem[] {
  const { opened, known, plugin, refresh } = parts
  const { vault } = opened
  const forget = async (index: number) => {
    const memory = known.memories[index]
    if (memory === undefined) return
    const { number, text: shown } = memory
    try {
      const { changes, forgotten } = await planForget(vault.notebook.vault, vault.settings.memory.note, number)
      // Counted from the top, so that a note that was edited meanwhile may have another line under this number.
      if (forgotten !== shown) throw new Error('The note has changed in the meantime. Open it again.')
      await vault.notebook.apply(changes)
      plugin.tell(`Forgotten: ${forgotten}. To restore it, run Undo last change.`)
    } catch (error) {
      plugin.tell(noticeOf(failureOf(error)))
    }
    await refresh()
  }
  return [
    settingGroup('memory', parts),
    {
      type: 'list',
      heading: 'Saved memories',
      emptyState: 'None yet. Add one in a chat: “@memory I garden in zone 7”.',
      items: known.memories.map((memory) => ({ name: visibleText(memory.text).text })),
      onDelete: (index) => void forget(index),
    },
  ]
}

export function indexGroup(parts: SettingsContext): SettingDefinitionGroup {
  const { plugin, opened, known, refresh } = parts
  const { index } = known
  const rebuild = async () => {
    plugin.tell('Rebuilding the index.')
    try {
      const { notes } = await opened.vault.notebook.rebuild()
      plugin.tell(`The index is up to date: ${count(notes, 'note')}.`)
    } catch (error) {
      plugin.tell(noticeOf(failureOf(error)))
    }
    await refresh()
  }
  const skipped = index?.skipped ?? []
  return {
    type: 'group',
    heading: settingGroups.index,
    items: [
      {
        name: 'Index status',
        desc:
          index === undefined
            ? 'Not ready yet.'
            : `${count(index.notes, 'note')}, ${count(index.chunks, 'passage')}, ${count(index.links, 'link')}. ${freshnessWords(index.freshness)}${skipped.length > 0 ? ` Left out: ${visibleText(skipped.map(({ path }) => path).join(', ')).text}` : ''}`,
      },
      ...settingDefinitions(['index'], parts),
      {
        name: 'Rebuild the index',
        desc: 'The index is a cache of your notes. Nothing is sent.',
        action: () => void rebuild(),
      },
    ],
  }
}
