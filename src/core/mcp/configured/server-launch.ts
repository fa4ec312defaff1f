import type { ServerSetting } from '../../config/index.js'
import type { StdioLaunch } from '../program/stdio-transport.js'
import { childEnvironment } from './child-environment.js'
import { expandVariables } from './expand-variables.js'

export type ProgramSetting = Extract<ServerSetting, { command: string }>

/** A server's program as it is started, with variables filled in. */
export function serverLaunch(
  name: string,
  { command, args = [], env = {} }: ProgramSetting,
  { environment, platform }: { environment: Record<string, string | undefined>; platform: string },
): StdioLaunch {
  const expand = (text: string) => expandVariables(text, environment, `The MCP server ${name}`)
  const configured = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, expand(value)]))
  return {
    server: name,
    command: expand(command),
    args: args.map(expand),
    environment: childEnvironment(environment, platform, configured),
  }
}
