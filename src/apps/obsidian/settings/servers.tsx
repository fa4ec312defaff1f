import type { SettingDefinition, SettingDefinitionGroup, SettingDefinitionPage } from 'obsidian'
import {
  checkServer,
  describeLaunch,
  enabledToolsOf,
  type ListedServer,
  type ReviewedTool,
  reviewedToolRow,
  reviewStates,
  type ServerField,
  type ServerKind,
  type ServerTool,
  serverForms,
  shownServer,
} from '../../../core/mcp/index.js'
import { count, visibleText } from '../../../core/text/index.js'
import { withToolSwitched } from '../../../core/tools/index.js'
import { type ServerAction, ServerToolView, serverFromForm, serverRow, serverWords } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import { failureOf, noticeOf } from '../failure-of.js'
import { secretField, typedRow } from './rows.js'
import type { SettingsContext } from './settings-page.js'
import { trustRow } from './trust-rows.js'

/** Servers of the settings and of the vault, and the forms for new ones. */
export function serversGroup(parts: SettingsContext, atHand: ServerFormState): SettingDefinitionGroup {
  const { servers } = parts.known
  const startsPrograms = servers?.startsPrograms === true
  const kinds: readonly ServerKind[] = startsPrograms ? ['address', 'program'] : ['address']
  return {
    type: 'group',
    heading: serverWords.heading,
    items: [
      {
        name: 'Tools from other programs',
        desc: `${serverWords.about} ${startsPrograms ? serverWords.programsRun : serverWords.noPrograms}`,
      },
      ...(servers?.list() ?? []).map((server) => serverPage(server, parts, atHand, startsPrograms)),
      ...kinds.map((kind) => addServerPage(kind, parts, atHand)),
    ],
  }
}

function serverPage(
  server: ListedServer,
  parts: SettingsContext,
  atHand: ServerFormState,
  startsPrograms: boolean,
): SettingDefinition | SettingDefinitionPage {
  const { name, from, setting, state } = server
  const { enabled } = parts.opened.vault.settings.tools
  const toolsOn = enabledToolsOf(name, enabled).length
  const {
    title,
    about,
    code,
    status,
    facts = [],
    actions,
  } = serverRow(shownServer(server), {
    forms: serverForms(),
    toolsOn,
    startsPrograms,
  })
  if (actions.length === 0) return { name: title, desc: `${status?.text}. ${about ?? ''}` }
  const isUsable = actions.some(({ id }) => id === 'tools')
  const run: Partial<Record<ServerAction, () => Promise<void>>> = {
    tools: () => lookAt(name, parts, atHand),
    remove: () => removeServer(name, parts, atHand),
  }
  // A test starts the server as showing its tools does, so it has no row here; a review is drawn in full.
  const rows = actions.flatMap(({ id, label, about: desc = '' }): SettingDefinition[] => {
    const act = run[id]
    if (id === 'review') return [serverTrustRow(server, parts)]
    return act === undefined ? [] : [{ name: label, desc, action: () => void act() }]
  })
  return {
    type: 'page',
    name: title,
    desc: status?.text ?? '',
    items: [
      { name: 'url' in setting ? 'Address' : 'Program', desc: code ?? '' },
      ...facts.map(({ label, text }) => ({ name: label, desc: text })),
      ...(about === undefined ? [] : [{ name: 'Note', desc: about }]),
      ...(isUsable && state === 'on' && from === 'settings' && 'url' in setting ? [keyRow(server, parts)] : []),
      ...rows,
      ...(isUsable ? reviewedTools(name, parts, atHand) : []),
    ],
  }
}

function reviewedTools(name: string, parts: SettingsContext, atHand: ServerFormState): SettingDefinition[] {
  const looked = atHand.looked.get(name)
  if (looked === undefined) return []
  const { enabled } = parts.opened.vault.settings.tools
  return reviewStates(name, looked.tools, looked.seen, enabled).map((tool) => serverToolRow(name, tool, parts, atHand))
}

/** A key chosen here is for the address shown here. Headers have no field: this is where the plugin stores a secret. */
function keyRow({ name, hash }: ListedServer, { plugin, opened, refresh }: SettingsContext): SettingDefinition {
  const choose = async (secret: string) => {
    const servers = await opened.vault.toolServers()
    await servers.trust({ server: name, hash })
    const { [name]: _, ...others } = plugin.settings.serverSecrets
    const serverSecrets = secret ? { ...others, [name]: secret } : others
    await plugin.saveSettings({ ...plugin.settings, serverSecrets })
    await refresh()
  }
  return {
    name: 'API key',
    desc: "Only if the server needs one. Sent as Authorization: Bearer, and stored in Obsidian's secret storage.",
    render: (setting) =>
      secretField(setting, plugin, plugin.settings.serverSecrets[name], (secret) => void choose(secret)),
  }
}

/** The complete entry, shown before the user can approve it. */
function serverTrustRow({ name, from, setting, hash }: ListedServer, parts: SettingsContext): SettingDefinition {
  const { plugin } = parts
  const launch = describeLaunch(setting)
  const isKeyed = from === 'settings' && plugin.settings.serverSecrets[name]
  const key: [string, string][] = isKeyed ? [['Authorization', 'your API key for this server']] : []
  return trustRow(`Trust ${name}`, plugin, {
    asked: { ...launch, given: [...launch.given, ...key] },
    kind: 'url' in setting ? 'address' : 'program',
    wants: from === 'vault' ? 'This vault wants' : 'Settings from another device want',
    where: 'on this device',
    onTrust: () => void trustServer(name, hash, parts),
  })
}

/** The form for a new server, drawn from the schema. */
function addServerPage(kind: ServerKind, parts: SettingsContext, atHand: ServerFormState): SettingDefinitionPage {
  const { label, add, about } = serverWords.kinds[kind]
  const fields = [serverWords.name, ...fieldsHere(kind)]
  return {
    type: 'page',
    name: `${serverWords.add}: ${label.toLowerCase()}`,
    items: [
      ...fields.map((field) => fieldRow(field, atHand)),
      { name: add, desc: about, action: () => void addServer(kind, parts, atHand) },
    ],
  }
}

/** Secret values have a field of their own on the page of the server. */
const fieldsHere = (kind: ServerKind): ServerField[] => serverForms()[kind].filter(({ isSecret }) => !isSecret)

function fieldRow({ key, label, hint, takes, placeholder }: ServerField, atHand: ServerFormState): SettingDefinition {
  return typedRow({
    key,
    name: label,
    desc: takes === 'pairs' ? `One name=value per line. ${hint}` : hint,
    ...(placeholder !== undefined && { placeholder }),
    isLong: takes === 'list' || takes === 'pairs',
    value: () => atHand.typed[key] ?? '',
    async save(_key, written) {
      atHand.typed = { ...atHand.typed, [key]: typeof written === 'string' ? written : '' }
      return undefined
    },
  })
}

/** Shows the full description before it can be enabled; if it has changed, both versions. */
function serverToolRow(
  server: string,
  reviewed: ReviewedTool,
  parts: SettingsContext,
  atHand: ServerFormState,
): SettingDefinition {
  const { plugin } = parts
  const { tool } = reviewed
  return {
    name: visibleText(`${server}/${tool.name}`).text,
    searchable: false,
    render(setting) {
      const { settingEl } = setting
      settingEl.empty()
      settingEl.addClass('nw', 'notewright-server-tool')
      const onSwitch = (enabled: boolean) => void switchTool(server, tool, enabled, parts, atHand)
      drawPanel(settingEl, plugin.app, <ServerToolView tool={reviewedToolRow(reviewed)} onSwitch={onSwitch} />)
      return () => drawPanel(settingEl, plugin.app, null)
    },
  }
}

/** Fetches the server's tool descriptions for the user. */
async function lookAt(
  name: string,
  { plugin, opened, onNews }: SettingsContext,
  { looked }: ServerFormState,
): Promise<void> {
  try {
    const servers = await opened.vault.toolServers()
    const tools = await servers.look(name)
    looked.set(name, { tools, seen: await servers.seen.of(name) })
    plugin.tell(`${name} has ${count(tools.length, 'tool')}.`)
  } catch (error) {
    plugin.tell(noticeOf(failureOf(error)))
  }
  onNews()
}

async function switchTool(
  server: string,
  tool: ServerTool,
  isOn: boolean,
  { plugin, opened: { vault }, save, onNews }: SettingsContext,
  { looked }: ServerFormState,
): Promise<void> {
  const servers = await vault.toolServers()
  if (isOn) await servers.seen.add(server, [tool])
  const enabled = withToolSwitched(vault.settings.tools.enabled, `${server}/${tool.name}`, isOn, vault.registry)
  const wrong = await save('tools.enabled', enabled)
  if (wrong !== undefined) plugin.tell(wrong)
  const known = looked.get(server)
  if (known) looked.set(server, { ...known, seen: await servers.seen.of(server) })
  onNews()
  await servers.start()
}

/** This very entry, on this device. */
async function trustServer(server: string, hash: string, { plugin, opened, refresh }: SettingsContext): Promise<void> {
  const servers = await opened.vault.toolServers()
  await servers.trust({ server, hash })
  plugin.tell(`${server} can start on this device until its entry changes.`)
  await refresh()
}

async function removeServer(
  name: string,
  { plugin, opened: { vault }, onNews }: SettingsContext,
  { looked }: ServerFormState,
): Promise<void> {
  await (await vault.toolServers()).distrust(name)
  const { [name]: _, ...mcpServers } = vault.settings.mcpServers ?? {}
  const { [name]: _secret, ...serverSecrets } = plugin.settings.serverSecrets
  const tools = { ...(plugin.settings.config.tools as object | undefined) } as { enabled?: string[] }
  if (tools.enabled) tools.enabled = tools.enabled.filter((id) => !id.startsWith(`${name}/`))
  looked.delete(name)
  await plugin.saveSettings({
    ...plugin.settings,
    config: { ...plugin.settings.config, mcpServers, tools },
    serverSecrets,
  })
  onNews()
}

/** Adds the typed server. A program typed here counts as trusted. */
async function addServer(
  kind: ServerKind,
  { plugin, opened: { vault }, save, refresh }: SettingsContext,
  atHand: ServerFormState,
): Promise<void> {
  const name = (atHand.typed.name ?? '').trim()
  const known = vault.settings.mcpServers ?? {}
  if (Object.hasOwn(known, name)) return plugin.tell(`There is already an MCP server ${name}.`)
  const fields = serverFromForm(fieldsHere(kind), atHand.typed)
  try {
    checkServer(name, fields)
  } catch (error) {
    return plugin.tell(noticeOf(failureOf(error)))
  }
  const entry = kind === 'address' ? { type: 'http', ...fields } : fields
  const wrong = await save('mcpServers', { ...known, [name]: entry })
  if (wrong !== undefined) return plugin.tell(wrong)
  const servers = await vault.toolServers()
  const listed = servers.list(await servers.known()).find((server) => server.name === name)
  if (listed !== undefined) await servers.trust({ server: name, hash: listed.hash })
  plugin.tell(`Added ${name}. Its page shows its tools.`)
  atHand.typed = {}
  await refresh()
}

/** Unsaved form values and fetched tool lists, kept while the settings are open. */
export interface ServerFormState {
  typed: Readonly<Record<string, string>>
  /** By server: its tools' descriptions, and those reviewed before. */
  looked: Map<string, { tools: readonly ServerTool[]; seen: ReadonlyMap<string, ServerTool> }>
}
