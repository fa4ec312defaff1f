import { Failure } from '../../../../core/errors.js'
import { setConfigValue } from '../../../../hosts/node/config/index.js'
import type { Invocation } from '../../program/invocation.js'
import { findServers, serverNamed } from './find-servers.js'

export async function serversRemove(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  const { setting, servers } = await findServers(invocation)
  if (serverNamed(name, servers).from === 'vault') {
    throw new Failure('invalid-input', `${name} stands in the .mcp.json of this vault, not in your settings.`, {
      hint: 'Take it out of that file.',
    })
  }
  const { [name]: _removed, ...left } = setting.config.mcpServers ?? {}
  const text = Object.keys(left).length === 0 ? '' : JSON.stringify(left)
  await setConfigValue(setting.folders.configFile, 'mcpServers', text)
  if (terminal.json) return terminal.printJson({ removed: name })
  terminal.say(`Removed ${name}.`)
}
