import { shownArgv } from '../../../../core/mcp/index.js'
import { argvOf, findServers, serverRow } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { padToWidth, visibleLine } from '../../terminal/index.js'
import { serversPlace } from './servers-place.js'

const stateWords = {
  on: 'on',
  off: 'off',
  untrusted: 'not trusted',
  hidden: 'not used: your settings have one of this name',
}

export async function serversList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const { servers, headers } = await findServers(serversPlace(invocation))
  if (terminal.json) {
    return terminal.printJson({ servers: await Promise.all(servers.map((server) => serverRow(server, headers))) })
  }
  const { style } = terminal
  if (servers.length === 0) {
    return terminal.say(
      'There are none yet. Add one with: notewright mcp-servers add NAME -- COMMAND, or --url ADDRESS',
    )
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
