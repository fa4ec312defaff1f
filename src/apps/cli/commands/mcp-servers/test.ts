import { titleOf, toolHash } from '../../../../core/mcp/index.js'
import type { Invocation } from '../../program/invocation.js'
import { visibleLine } from '../../terminal/index.js'
import { withServer } from './connect.js'
import { toolStates } from './enabled-tools.js'
import { findServers, serverNamed } from './find-servers.js'

export async function serversTest(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  const { setting, known, servers } = await findServers(invocation)
  const startedAt = performance.now()
  await withServer(invocation, serverNamed(name, servers), async ({ server, protocol, tools }) => {
    const ms = Math.round(performance.now() - startedAt)
    const states = toolStates(name, tools, await known.seen.of(name), setting.config)
    if (terminal.json) {
      const listed = states.map(({ tool, enabled }) => {
        return { name: tool.name, title: titleOf(tool), hash: toolHash(tool), enabled }
      })
      return terminal.printJson({ ok: true, server, protocol, tools: listed, ms })
    }
    const { style } = terminal
    terminal.print(`${style.good('ok')}  ${visibleLine(`${server.name} ${server.version}`)}  ${protocol}  ${ms} ms`)
    for (const { tool, enabled } of states) {
      terminal.print(`  ${enabled ? style.good('on ') : style.faint('off')} ${visibleLine(tool.name)}`)
    }
  })
}
