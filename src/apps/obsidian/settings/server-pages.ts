import type { SettingDefinition, SettingDefinitionGroup, SettingDefinitionPage } from 'obsidian'
import type { ServerSetting } from '../../../core/config/index.js'
import { type ListedServer, shownArgv, shownUrl, vaultServersFile, whatItRuns } from '../../../core/mcp/index.js'
import { count, visibleText } from '../../../core/text/index.js'
import { addServerPages } from './add-server-pages.js'
import { secretField } from './rows.js'
import { lookAt, removeServer, trustServer } from './server-actions.js'
import { serverToolRow } from './server-tool-row.js'
import type { ServersAtHand } from './servers-at-hand.js'
import type { PageParts } from './settings-page.js'
import { trustRow } from './trust-row.js'

const noPrograms =
  'Servers that are programs of a machine cannot be started here: that takes Obsidian on a desktop. Their entries are kept.'

/** Other people's tools. None is on before the person has read all that it says of itself. */
export function serversGroup(parts: PageParts, atHand: ServersAtHand): SettingDefinitionGroup {
  const { servers } = parts.known
  const listed = servers?.list() ?? []
  return {
    type: 'group',
    heading: 'MCP servers',
    items: [
      {
        name: 'Servers bring tools of their own',
        desc: `What a tool is called with is sent to its server. Each is off until you have read what it says of itself, and off again when a letter of that changes. ${servers?.startsPrograms ? 'A server that is a program runs as you, and ends with Obsidian.' : noPrograms}`,
      },
      ...listed.map((server) =>
        server.state === 'hidden' ? hiddenRow(server) : serverPage(server, parts, atHand, servers?.startsPrograms),
      ),
      ...addServerPages(parts, atHand),
    ],
  }
}

const hiddenRow = ({ name }: ListedServer): SettingDefinition => ({
  name: `${name} (${vaultServersFile})`,
  desc: 'Not used: your settings have a server of the same name.',
})

function serverPage(
  server: ListedServer,
  parts: PageParts,
  atHand: ServersAtHand,
  startsPrograms = false,
): SettingDefinitionPage {
  const { name, from, setting, state } = server
  const isUsable = 'url' in setting || startsPrograms
  const looked = atHand.looked.get(name)
  const page = (desc: string, ...rows: SettingDefinition[]): SettingDefinitionPage => ({
    type: 'page',
    name,
    desc,
    items: [whereItIs(setting), ...rows, from === 'settings' ? removal(name, parts, atHand) : fromVault],
  })
  if (!isUsable) return page('Cannot be started here.', { name: 'A program of a machine', desc: noPrograms })
  if (state === 'untrusted')
    return page('Not trusted on this device, so nothing of it runs.', serverTrustRow(server, parts))
  if (state === 'off') return page('Switched off where it is written down.')
  return page(
    onWords(name, parts),
    ...(from === 'settings' && 'url' in setting ? [keyRow(server, parts)] : []),
    {
      name: 'Look at its tools',
      desc:
        'url' in setting
          ? 'Asks the server what it has. Nothing of your notes is sent.'
          : 'Starts the program, asks it what it has, and ends it. Nothing of your notes is sent.',
      action: () => void lookAt(name, parts, atHand),
    },
    ...(looked ? looked.tools.map((tool) => serverToolRow(name, tool, looked.seen, parts, atHand)) : []),
  )
}

const fromVault: SettingDefinition = {
  name: 'Brought along by this vault',
  desc: `It stands in ${vaultServersFile}. Take it out of that file to be rid of it.`,
}

/** What is given to it may be secret, so that only the names are told. */
function whereItIs(setting: ServerSetting): SettingDefinition {
  if ('url' in setting) return { name: 'Address', desc: visibleText(shownUrl(setting.url)).text }
  const names = Object.keys(setting.env ?? {})
  const words = visibleText(shownArgv(whatItRuns(setting).argv)).text
  return { name: 'Program', desc: names.length === 0 ? words : `${words} (with ${names.join(', ')})` }
}

function removal(name: string, parts: PageParts, atHand: ServersAtHand): SettingDefinition {
  return {
    name: 'Remove this server',
    desc: 'Its tools are gone with it.',
    action: () => void removeServer(name, parts, atHand),
  }
}

function onWords(name: string, { opened: { vault } }: PageParts): string {
  const on = (vault.settings.tools.enabled ?? []).filter((id) => id.startsWith(`${name}/`))
  return on.length === 0 ? 'No tool is on.' : `${count(on.length, 'tool')} on.`
}

/** Whoever chooses a key here means it for the address that is shown here. */
function keyRow({ name, hash }: ListedServer, { plugin, opened, refresh }: PageParts): SettingDefinition {
  const choose = async (secret: string) => {
    const servers = await opened.vault.toolServers()
    await servers.trust({ server: name, hash })
    const { [name]: _, ...others } = plugin.settings.serverSecrets
    const serverSecrets = secret ? { ...others, [name]: secret } : others
    await plugin.saveSettings({ ...plugin.settings, serverSecrets })
    await refresh()
  }
  return {
    name: 'Key',
    desc: 'Where the server wants one: sent to it as Authorization: Bearer. Kept in the secret storage of Obsidian.',
    render: (setting) =>
      secretField(setting, plugin, plugin.settings.serverSecrets[name], (secret) => void choose(secret)),
  }
}

/** All of the entry, before anyone can say yes to it. */
function serverTrustRow({ name, from, setting, hash }: ListedServer, parts: PageParts): SettingDefinition {
  const { plugin } = parts
  const { argv, given } = whatItRuns(setting)
  const isKeyed = from === 'settings' && plugin.settings.serverSecrets[name]
  const key: [string, string][] = isKeyed ? [['Authorization', 'the key you have chosen for it']] : []
  return trustRow(`Trust ${name}`, plugin, {
    asked: { argv, given: [...given, ...key] },
    kind: 'url' in setting ? 'address' : 'program',
    wants: from === 'vault' ? 'This vault wants' : 'The settings, which were not written here, want',
    where: 'on this device',
    onTrust: () => void trustServer(name, hash, parts),
  })
}
