import { Failure } from '../../../../core/errors.js'
import { vaultServersFile } from '../../../../hosts/node/mcp/index.js'
import type { Invocation } from '../../program/invocation.js'
import { confirm, visibleLine } from '../../terminal/index.js'
import { argvOf, findServers, serverNamed, shownArgv } from './find-servers.js'

export async function serversTrust(invocation: Invocation, name: string, { yes }: { yes?: boolean }): Promise<void> {
  const { terminal, signal } = invocation
  const { servers, known, root } = await findServers(invocation)
  const server = serverNamed(name, servers)
  if (server.from === 'settings') {
    throw new Failure('invalid-input', `${name} stands in your own settings, so it is trusted already.`)
  }
  const argv = argvOf(server)
  const { setting } = server
  terminal.say(`${vaultServersFile} of this vault wants to run:`)
  terminal.say(`  ${visibleLine(shownArgv(argv))}`)
  const given = Object.entries(('command' in setting ? setting.env : setting.headers) ?? {})
  for (const [key, value] of given) terminal.say(`  ${visibleLine(`${key}=${value}`)}`)
  terminal.say('It runs as you, and can read and change whatever you can.')
  if (!yes) {
    await confirm(terminal, { text: 'Trust it?', needs: 'Trusting a server needs your approval.', signal })
  }
  await known.trust(root!, name, server.hash)
  if (terminal.json) return terminal.printJson({ trusted: name, argv })
  terminal.say(`${name} can be started in this vault, until its entry changes.`)
}
