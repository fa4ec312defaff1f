import type { SettingDefinition, SettingDefinitionGroup, SettingDefinitionPage } from 'obsidian'
import { type ServerSetting, serverSettings } from '../../../core/config/index.js'
import { familiarity, type ServerTool, titleOf, toolHash } from '../../../core/mcp/index.js'
import { count, visibleText } from '../../../core/text/index.js'
import { ServerToolView, type ShownServerTool } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import { secretField, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'
import { withTool } from './tool-groups.js'

/** What the person has typed and looked at since the settings were opened. */
export interface ServersAtHand {
  name: string
  url: string
  /** By server: what it said of its tools, and those of them that were looked at before. */
  looked: Map<string, { tools: readonly ServerTool[]; seen: ReadonlyMap<string, ServerTool> }>
}

/** Other people's tools. None is on before the person has read all that it says of itself. */
export function serversGroup(parts: PageParts, atHand: ServersAtHand): SettingDefinitionGroup {
  const servers = Object.entries(parts.opened.vault.settings.mcpServers ?? {})
  return {
    type: 'group',
    heading: 'MCP servers',
    items: [
      {
        name: 'Servers at a web address bring tools of their own',
        desc: 'What a tool is called with is sent to its server. Each is off until you have read what it says of itself, and off again when a letter of that changes. Servers that are programs of your machine are for the notewright program: Obsidian starts none.',
      },
      ...servers.map(([name, setting]) => serverPage(name, setting, parts, atHand)),
      addPage(parts, atHand),
    ],
  }
}

function serverPage(
  name: string,
  setting: ServerSetting,
  parts: PageParts,
  atHand: ServersAtHand,
): SettingDefinitionPage {
  const remove = () => void removeServer(name, parts, atHand)
  const removal = { name: 'Remove this server', desc: 'Its tools are gone with it.', action: remove }
  if (!('url' in setting)) {
    const why = 'A program of your machine, for the notewright program. Obsidian does not start it.'
    return { type: 'page', name, displayValue: 'not used here', items: [{ name: setting.command, desc: why }, removal] }
  }
  const looked = atHand.looked.get(name)
  return {
    type: 'page',
    name,
    displayValue: onWords(name, parts),
    items: [
      { name: 'Address', desc: visibleText(setting.url.replace(/\?[\s\S]*$/, '?…')).text },
      keyRow(name, parts),
      {
        name: 'Look at its tools',
        desc: 'Asks the server what it has. Nothing of your notes is sent.',
        action: () => void lookAt(name, parts, atHand),
      },
      ...(looked ? looked.tools.map((tool) => toolRow(name, tool, looked.seen, parts, atHand)) : []),
      removal,
    ],
  }
}

function onWords(name: string, { opened: { vault } }: PageParts): string {
  const on = (vault.settings.tools.enabled ?? []).filter((id) => id.startsWith(`${name}/`))
  return on.length === 0 ? 'no tool is on' : `${count(on.length, 'tool')} on`
}

function keyRow(name: string, { plugin }: PageParts): SettingDefinition {
  return {
    name: 'Key',
    desc: 'Where the server wants one: sent to it as Authorization: Bearer. Kept in the secret storage of Obsidian.',
    render(setting) {
      secretField(setting, plugin, plugin.settings.serverSecrets[name], (secret) => {
        const { [name]: _, ...others } = plugin.settings.serverSecrets
        const serverSecrets = secret ? { ...others, [name]: secret } : others
        void plugin.saveSettings({ ...plugin.settings, serverSecrets })
      })
    },
  }
}

/** All of it is shown before it can be switched on; where it has changed, both ways. */
function toolRow(
  server: string,
  tool: ServerTool,
  seen: ReadonlyMap<string, ServerTool>,
  parts: PageParts,
  atHand: ServersAtHand,
): SettingDefinition {
  const { plugin, opened } = parts
  const state = familiarity(tool, seen)
  const before = state === 'changed' ? seen.get(tool.name) : undefined
  const isOn = (opened.vault.settings.tools.enabled ?? []).includes(`${server}/${tool.name}`)
  const shown: ShownServerTool = {
    ...tool,
    title: titleOf(tool),
    ...(tool.title !== undefined && { ownTitle: tool.title }),
    hash: toolHash(tool),
    state,
    enabled: state === 'seen' && isOn,
    ...(before && { before }),
  }
  return {
    name: visibleText(`${server}/${tool.name}`).text,
    searchable: false,
    render(setting) {
      const { settingEl } = setting
      settingEl.empty()
      settingEl.addClass('nw', 'notewright-server-tool')
      const onSwitch = (enabled: boolean) => void switchTool(server, tool, enabled, parts, atHand)
      drawPanel(settingEl, plugin.app, <ServerToolView tool={shown} onSwitch={onSwitch} />)
      return () => drawPanel(settingEl, plugin.app, null)
    },
  }
}

async function lookAt(name: string, { plugin, opened, onNews }: PageParts, { looked }: ServersAtHand): Promise<void> {
  try {
    const servers = await opened.vault.toolServers()
    const tools = await servers.look(name)
    looked.set(name, { tools, seen: await servers.seen.of(name) })
    plugin.tell(`${name} has ${count(tools.length, 'tool')}.`)
  } catch (error) {
    plugin.tell((error as Error).message)
  }
  onNews()
}

async function switchTool(
  server: string,
  tool: ServerTool,
  isOn: boolean,
  { plugin, opened: { vault }, save, onNews }: PageParts,
  { looked }: ServersAtHand,
): Promise<void> {
  const servers = await vault.toolServers()
  if (isOn) await servers.seen.add(server, [tool])
  const enabled = withTool(vault.registry, vault.settings.tools.enabled, `${server}/${tool.name}`, isOn)
  const wrong = await save('tools.enabled', enabled)
  if (wrong !== undefined) plugin.tell(wrong)
  const known = looked.get(server)
  if (known) looked.set(server, { ...known, seen: await servers.seen.of(server) })
  onNews()
  await servers.start()
}

async function removeServer(
  name: string,
  { plugin, opened: { vault }, onNews }: PageParts,
  { looked }: ServersAtHand,
): Promise<void> {
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
  await (await vault.toolServers()).start()
}

function addPage(parts: PageParts, atHand: ServersAtHand): SettingDefinitionPage {
  const field = (key: 'name' | 'url', name: string, desc: string, placeholder: string) =>
    typedRow({
      key,
      name,
      desc,
      placeholder,
      value: () => atHand[key],
      async save(_key, written) {
        atHand[key] = typeof written === 'string' ? written.trim() : ''
        return undefined
      },
    })
  return {
    type: 'page',
    name: 'Add a server',
    items: [
      field('name', 'Server name', 'Letters, digits, ., - and _, at most 40.', 'wiki'),
      field('url', 'Server address', 'Where it speaks MCP over HTTP.', 'https://example.org/mcp'),
      {
        name: 'Add this server',
        desc: 'Nothing is sent to it before you look at its tools.',
        action: () => void addServer(parts, atHand),
      },
    ],
  }
}

async function addServer({ plugin, opened, save, onNews }: PageParts, atHand: ServersAtHand): Promise<void> {
  const { name, url } = atHand
  const servers = opened.vault.settings.mcpServers ?? {}
  if (Object.hasOwn(servers, name)) return plugin.tell(`There is already an MCP server ${name}.`)
  const added = { [name]: { type: 'http', url } }
  if (!serverSettings.safeParse(added).success) {
    return plugin.tell('It needs a name of letters and digits, and an address like https://example.org/mcp')
  }
  const wrong = await save('mcpServers', { ...servers, ...added })
  plugin.tell(wrong ?? `${name} is added. Its page shows its tools.`)
  if (wrong === undefined) Object.assign(atHand, { name: '', url: '' })
  onNews()
}
