import type { ListedServer } from '../../../../hosts/node/mcp/index.js'
import type { Invocation } from '../../program/invocation.js'
import { padToWidth, visibleLine } from '../../terminal/index.js'
import { argvOf, findServers, shownArgv } from './find-servers.js'

const stateWords = {
  on: 'on',
  off: 'off',
  untrusted: 'not trusted',
  hidden: 'not used: your settings have one of this name',
}

export async function serversList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const { servers } = await findServers(invocation)
  if (terminal.json) return terminal.printJson({ servers: servers.map(asData) })
  const { style } = terminal
  if (servers.length === 0) {
    return terminal.say('There are none yet. Add one with: notewright mcp-servers add NAME -- COMMAND')
  }
  const width = Math.max(...servers.map(({ name }) => name.length))
  for (const server of servers) {
    const { name, state, from } = server
    const paint = state === 'on' ? style.good : state === 'untrusted' ? style.warning : style.faint
    terminal.print(`${padToWidth(name, width)}  ${paint(stateWords[state])}  ${style.faint(`from ${from}`)}`)
    terminal.print(`${' '.repeat(width)}  ${visibleLine(shownArgv(argvOf(server)))}`)
    if (state === 'untrusted') {
      terminal.print(`${' '.repeat(width)}  ${style.faint(`To use it: notewright mcp-servers trust ${name}`)}`)
    }
  }
}

/** Values of variables and headers may be secrets: their names are told. */
function asData(server: ListedServer) {
  const { name, from, state, setting } = server
  const how =
    'command' in setting
      ? { type: 'stdio', command: setting.command, args: setting.args ?? [], env: Object.keys(setting.env ?? {}) }
      : { type: 'http', url: setting.url, headers: Object.keys(setting.headers ?? {}) }
  return { name, from, state, ...how, ...(setting.timeoutMs && { timeoutMs: setting.timeoutMs }) }
}
