import { serverSettings } from '../../../core/config/index.js'
import type { ServerTool } from '../../../core/mcp/index.js'
import { count } from '../../../core/text/index.js'
import { failureOf, noticeOf } from '../failure-of.js'
import { type NewServer, nothingTyped, type ServersAtHand } from './servers-at-hand.js'
import type { PageParts } from './settings-page.js'
import { withTool } from './tool-groups.js'

/** What a server says of its tools, for the person to read. */
export async function lookAt(
  name: string,
  { plugin, opened, onNews }: PageParts,
  { looked }: ServersAtHand,
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

export async function switchTool(
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

/** This very entry, on this device. */
export async function trustServer(server: string, hash: string, { plugin, opened, refresh }: PageParts): Promise<void> {
  const servers = await opened.vault.toolServers()
  await servers.trust({ server, hash })
  plugin.tell(`${server} can be started on this device, until its entry changes.`)
  await refresh()
}

export async function removeServer(
  name: string,
  { plugin, opened: { vault }, onNews }: PageParts,
  { looked }: ServersAtHand,
): Promise<void> {
  const { [name]: _, ...mcpServers } = vault.settings.mcpServers ?? {}
  const { [name]: _secret, ...serverSecrets } = plugin.settings.serverSecrets
  const tools = { ...(plugin.settings.config.tools as object | undefined) } as { enabled?: string[] }
  if (tools.enabled) tools.enabled = tools.enabled.filter((id) => !id.startsWith(`${name}/`))
  looked.delete(name)
  await (await vault.toolServers()).distrust(name)
  await plugin.saveSettings({
    ...plugin.settings,
    config: { ...plugin.settings.config, mcpServers, tools },
    serverSecrets,
  })
  onNews()
}

/** Adds what was typed. Whoever types a program here trusts it here. */
export async function addServer(
  kind: 'address' | 'program',
  { plugin, opened: { vault }, save, refresh }: PageParts,
  atHand: ServersAtHand,
): Promise<void> {
  const { name } = atHand.typed
  const known = vault.settings.mcpServers ?? {}
  if (Object.hasOwn(known, name)) return plugin.tell(`There is already an MCP server ${name}.`)
  const added = { [name]: kind === 'address' ? { type: 'http', url: atHand.typed.url } : programOf(atHand.typed) }
  if (!serverSettings.safeParse(added).success) {
    return plugin.tell(
      kind === 'address'
        ? 'It needs a name of letters and digits, and an address like https://example.org/mcp'
        : 'It needs a name of letters and digits, and a program. Variables are written as NAME=value.',
    )
  }
  const wrong = await save('mcpServers', { ...known, ...added })
  if (wrong !== undefined) return plugin.tell(wrong)
  const servers = await vault.toolServers()
  const listed = servers.list(await servers.known()).find((server) => server.name === name)
  if (listed !== undefined) await servers.trust({ server: name, hash: listed.hash })
  plugin.tell(`${name} is added. Its page shows its tools.`)
  atHand.typed = nothingTyped
  await refresh()
}

/** What is no variable makes an entry that is refused. */
function programOf({ command, args, env }: NewServer) {
  const variables = linesOf(env).map((line) => /^([A-Za-z_]\w*)=(.*)$/.exec(line)?.slice(1) ?? [line, undefined])
  return {
    command,
    ...(linesOf(args).length > 0 && { args: linesOf(args) }),
    ...(variables.length > 0 && { env: Object.fromEntries(variables) as Record<string, string> }),
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')
