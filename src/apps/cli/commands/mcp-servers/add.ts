import { serverSettings } from '../../../../core/config/index.js'
import { Failure } from '../../../../core/errors.js'
import { setConfigValue } from '../../../../hosts/node/config/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings } from '../../session/open-vault.js'
import { visibleLine } from '../../terminal/index.js'
import { shownArgv } from './find-servers.js'

export async function serversAdd(
  invocation: Invocation,
  name: string,
  [command, ...args]: string[],
  { env }: { env?: string[] },
): Promise<void> {
  const { terminal } = invocation
  const { config, folders } = await readSettings(invocation)
  const servers = config.mcpServers ?? {}
  if (Object.hasOwn(servers, name)) {
    throw new Failure('conflict', `There is already an MCP server ${name}.`, {
      hint: `Remove it first: notewright mcp-servers remove ${name}`,
    })
  }
  const setting = { command, args, ...(env && { env: Object.fromEntries(env.map(variable)) }) }
  if (!serverSettings.safeParse({ [name]: setting }).success) {
    throw new Failure('invalid-input', `Not a name for a server: ${name}`, {
      hint: 'Letters, digits, ., - and _, at most 40.',
    })
  }
  await setConfigValue(folders.configFile, 'mcpServers', JSON.stringify({ ...servers, [name]: setting }))
  if (terminal.json) return terminal.printJson({ name, command, args, path: folders.configFile })
  terminal.say(`Added ${name}: ${visibleLine(shownArgv([command, ...args]))}`)
  terminal.say(`Its tools are off. Look at them with: notewright mcp-servers tools ${name}`)
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Failure('invalid-input', `--env takes NAME=VALUE, not ${text.slice(0, 100)}`)
  return [text.slice(0, at), text.slice(at + 1)]
}
