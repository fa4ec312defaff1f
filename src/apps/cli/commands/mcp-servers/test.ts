import { testServer } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { visibleLine } from '../../terminal/index.js'
import { serversPlace } from './servers-place.js'

export async function serversTest(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  const tested = await testServer(serversPlace(invocation), name)
  if (terminal.json) return terminal.printJson(tested)
  const { server, protocol, tools, ms } = tested
  const { style } = terminal
  terminal.print(`${style.good('ok')}  ${visibleLine(`${server.name} ${server.version}`)}  ${protocol}  ${ms} ms`)
  for (const tool of tools) {
    terminal.print(`  ${tool.enabled ? style.good('on ') : style.faint('off')} ${visibleLine(tool.name)}`)
  }
}
