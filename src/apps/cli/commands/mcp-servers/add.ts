import { Failure } from '../../../../core/errors.js'
import { shownArgv } from '../../../../core/mcp/index.js'
import { addServer, type NewServer } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { visibleLine } from '../../terminal/index.js'
import { serversPlace } from './servers-place.js'

export interface AddOptions {
  env?: string[]
  url?: string
  header?: string[]
}

export async function serversAdd(
  invocation: Invocation,
  name: string,
  words: string[],
  options: AddOptions,
): Promise<void> {
  const { terminal } = invocation
  const { path, kept, argv } = await addServer(serversPlace(invocation), newServer(name, words, options))
  if (terminal.json) {
    const how = options.url === undefined ? { command: argv[0], args: argv.slice(1) } : { url: argv[0] }
    return terminal.printJson({ name, ...how, path })
  }
  terminal.say(`Added ${name}: ${visibleLine(shownArgv(argv))}`)
  if (kept.length > 0) terminal.say(`Kept with your keys, not in the settings: ${visibleLine(kept.join(', '))}`)
  terminal.say(`Its tools are off. Look at them with: notewright mcp-servers tools ${name}`)
}

function newServer(name: string, [command, ...args]: string[], { env, url, header = [] }: AddOptions): NewServer {
  if ((command === undefined) === (url === undefined)) {
    throw new Failure('invalid-input', 'A server is either a program, after --, or at an address, as --url.')
  }
  if (url === undefined) {
    if (header.length > 0) throw new Failure('invalid-input', 'Only a server at an address is sent headers.')
    return { name, command, args, ...(env && { env: Object.fromEntries(env.map(variable)) }) }
  }
  if (env) throw new Failure('invalid-input', 'Only a program has an environment. Send a server --header instead.')
  return { name, url, headers: Object.fromEntries(header.map(headerOf)) }
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Failure('invalid-input', `--env takes NAME=VALUE, not ${text.slice(0, 100)}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function headerOf(text: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*[\x21-\x7e])\s*$/.exec(text) ?? []
  // What was typed may be a key: it is not repeated.
  if (name === undefined) throw new Failure('invalid-input', '--header takes "Name: value" in plain letters.')
  return [name, value]
}
