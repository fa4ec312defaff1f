import { shownArgv, vaultServersFile } from '../../../../core/mcp/index.js'
import { findServers, serverToTrust } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { confirm, visibleLine } from '../../terminal/index.js'
import { serversPlace } from './servers-place.js'

export async function serversTrust(invocation: Invocation, name: string, { yes }: { yes?: boolean }): Promise<void> {
  const { terminal, signal } = invocation
  const { servers, known, root } = await findServers(serversPlace(invocation))
  const { server, argv, given } = serverToTrust(name, servers)
  terminal.say(`${vaultServersFile} of this vault wants to run:`)
  terminal.say(`  ${visibleLine(shownArgv(argv))}`)
  for (const [key, value] of given) terminal.say(`  ${visibleLine(`${key}=${value}`)}`)
  terminal.say('It runs as you, and can read and change whatever you can.')
  if (!yes) {
    await confirm(terminal, { text: 'Trust it?', needs: 'Trusting a server needs your approval.', signal })
  }
  await known.trust(root!, name, server.hash)
  if (terminal.json) return terminal.printJson({ trusted: name, argv })
  terminal.say(`${name} can be started in this vault, until its entry changes.`)
}
