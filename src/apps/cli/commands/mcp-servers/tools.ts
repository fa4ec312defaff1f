import { Failure } from '../../../../core/errors.js'
import { type ServerTool, titleOf, toolHash } from '../../../../core/mcp/index.js'
import { nearestName } from '../../../../core/names/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings } from '../../session/open-vault.js'
import { switchTools } from '../../session/switch-tools.js'
import { confirm } from '../../terminal/index.js'
import { withServer } from './connect.js'
import { type ToolState, toolStates } from './enabled-tools.js'
import { type FoundServers, findServers, serverNamed } from './find-servers.js'
import { showTool } from './show-tool.js'

export interface ToolsOptions {
  enable?: string[]
  disable?: string[]
  yes?: boolean
}

/** Shows what a server's tools say of themselves. What is switched on is shown first, whole, and kept as it was then. */
export async function serversTools(invocation: Invocation, name: string, options: ToolsOptions): Promise<void> {
  const { terminal } = invocation
  const found = await findServers(invocation)
  const { enable = [], disable = [] } = options
  if (disable.length > 0) await switchTools(found.setting, idsOf(name, disable), false)
  if (disable.length > 0 && enable.length === 0) {
    if (terminal.json) return terminal.printJson({ server: name, disabled: disable })
    return terminal.say(`Off: ${disable.join(', ')}`)
  }
  const tools = await withServer(invocation, serverNamed(name, found.servers), async (connection) => connection.tools)
  const seen = await found.known.seen.of(name)
  const states = toolStates(name, tools, seen, found.setting.config)
  const wanted = enable.length === 0 ? states : enable.map((each) => stateOf(each, name, states))
  if (!terminal.json) for (const state of wanted) showTool(state, seen.get(state.tool.name), terminal)
  if (enable.length > 0) await enableTools(invocation, name, wanted, found, options)
  if (!terminal.json) return
  const now = enable.length === 0 ? states : wanted.map(({ tool }) => ({ tool, state: 'seen' as const, enabled: true }))
  terminal.printJson({ server: name, tools: now.map((state) => asData(state, seen.get(state.tool.name))) })
}

async function enableTools(
  invocation: Invocation,
  server: string,
  wanted: readonly ToolState[],
  { known }: FoundServers,
  { yes, enable = [] }: ToolsOptions,
): Promise<void> {
  const { terminal, signal } = invocation
  const which = enable.join(', ')
  if (!yes) {
    await confirm(terminal, {
      text: `Switch on ${which}, as shown above?`,
      needs: 'Switching on a tool of someone else needs your approval.',
      signal,
    })
  }
  await known.seen.add(
    server,
    wanted.map(({ tool }) => tool),
  )
  await switchTools(await readSettings(invocation), idsOf(server, enable), true)
  if (!terminal.json) terminal.say(`On: ${which}. If one of them changes, it is off until you have looked at it again.`)
}

const idsOf = (server: string, tools: readonly string[]): string[] => tools.map((tool) => `${server}/${tool}`)

function stateOf(name: string, server: string, states: readonly ToolState[]): ToolState {
  const found = states.find(({ tool }) => tool.name === name)
  if (found !== undefined) return found
  const names = states.map(({ tool }) => tool.name)
  const near = nearestName(name, names)
  throw new Failure('not-found', `${server} has no tool ${name}.`, {
    hint: near ? `Did you mean ${near}?` : `It has ${names.join(', ')}.`,
  })
}

function asData({ tool, state, enabled }: ToolState, before: ServerTool | undefined) {
  const { name, description = '', inputSchema, annotations } = tool
  return {
    name,
    title: titleOf(tool),
    description,
    hash: toolHash(tool),
    state,
    enabled,
    inputSchema,
    ...(annotations && { annotations }),
    ...(state === 'changed' && before && { before }),
  }
}
