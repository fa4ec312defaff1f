import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { Failure } from '../../../core/errors.js'
import {
  type ReviewedTool,
  reviewedToolRow,
  type ServerTool,
  serverToolTitle,
  vaultServersFile,
} from '../../../core/mcp/index.js'
import { quotedArgv, visibleBlanks } from '../../../core/text/index.js'
import { trustServer } from '../../../hosts/node/mcp-servers.js'
import {
  addServer,
  argvOf,
  describeServer,
  enableServerTools,
  findServers,
  findToolState,
  type NewServer,
  readToolStates,
  removeServer,
  serverToolIds,
  serverToTrust,
  testServer,
} from '../../../hosts/node/settings/servers.js'
import { switchTools } from '../../../hosts/node/settings/tools.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { collected, noConfirmationOption, withoutSubcommand } from '../program/options.js'
import { approvePrograms, confirmProgram, showProgram } from '../session/programs.js'
import { serverSettingsLocation } from '../session/settings.js'
import { confirm, jsonLine, type Terminal, terminalText, visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export const declareMcpServers: DeclareCommand = (command, run) => {
  command.addHelpText(
    'after',
    examples(
      ['notewright mcp-servers add files -- npx -y @modelcontextprotocol/server-filesystem ~/Data'],
      ['notewright mcp-servers tools files --enable read_text_file'],
    ),
  )
  command
    .command('list')
    .description('List the servers of your settings and this vault. Starts none.')
    .addHelpText('after', examples(['notewright mcp-servers list'], ['notewright mcp-servers list --json']))
    .action(() => run((to) => serversList(to)))
  command
    .command('add')
    .description('Add a server to your settings. It starts once you turn on one of its tools.')
    .argument('<name>', 'name for the server: letters, digits, ., - and _')
    .argument('[command...]', 'program and arguments, after --')
    .option('--env <NAME=VALUE>', `environment variable; VALUE may be \${OTHER}; repeatable`, collected)
    .option('--url <address>', 'URL of a remote server, instead of a program')
    .option(
      '--header <"Name: value">',
      `header for a remote server; repeatable; stored with your API keys, or in the settings if it contains \${VARIABLE}`,
      collected,
    )
    .addHelpText(
      'after',
      examples(
        ['notewright mcp-servers add memory -- npx -y @modelcontextprotocol/server-memory'],
        [`notewright mcp-servers add issues --env 'TOKEN=\${MY_TOKEN}' -- issue-server --stdio`],
        ['notewright mcp-servers add wiki --url https://mcp.example.org/mcp --header "Authorization: Bearer KEY"'],
      ),
    )
    .action((name: string, words: string[], options) => run((to) => serversAdd(to, name, words, options)))
  command
    .command('remove')
    .description('Remove a server from your settings.')
    .argument('<name>', 'name of the server')
    .addHelpText('after', examples(['notewright mcp-servers remove memory']))
    .action((name: string) => run((to) => serversRemove(to, name)))
  command
    .command('test')
    .description('Start a server, list its tools and stop it again.')
    .argument('<name>', 'name of the server')
    .addHelpText(
      'after',
      examples(['notewright mcp-servers test memory'], ['notewright mcp-servers test memory --json']),
    )
    .action((name: string) => run((to) => serversTest(to, name)))
  command
    .command('trust')
    .description('Trust a server from the .mcp.json of this vault. Shows its full command.')
    .argument('<name>', 'name of the server')
    .addOption(noConfirmationOption())
    .addHelpText('after', examples(['notewright mcp-servers trust team-wiki']))
    .action((name: string, options) => run((to) => serversTrust(to, name, options)))
  command
    .command('tools')
    .description('Show the tools of a server, and turn them on or off.')
    .argument('<name>', 'name of the server')
    .option('--enable <tool>', 'show this tool and turn it on; repeatable', collected)
    .option('--disable <tool>', 'turn this tool off; repeatable', collected)
    .addOption(noConfirmationOption())
    .addHelpText(
      'after',
      examples(
        ['notewright mcp-servers tools memory'],
        ['notewright mcp-servers tools memory --enable search_nodes --enable open_nodes'],
      ),
    )
    .action((name: string, options) => run((to) => serversTools(to, name, options)))
  withoutSubcommand(command, () => run((to) => serversList(to)))
}

const stateWords = {
  on: 'on',
  off: 'off',
  untrusted: 'not trusted',
  hidden: 'not used: your settings have a server with this name',
}

export async function serversList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const { servers, headers } = await findServers(serverSettingsLocation(invocation))
  if (terminal.json) {
    return terminal.printJson({ servers: await Promise.all(servers.map((server) => describeServer(server, headers))) })
  }
  const { style } = terminal
  if (servers.length === 0) {
    return terminal.say(
      'No MCP servers yet. To add one: notewright mcp-servers add NAME -- COMMAND, or add NAME --url ADDRESS',
    )
  }
  const width = Math.max(...servers.map(({ name }) => name.length))
  for (const server of servers) {
    const { name, state, from } = server
    const paint = state === 'on' ? style.good : state === 'untrusted' ? style.warning : style.faint
    terminal.print(`${padToWidth(name, width)}  ${paint(stateWords[state])}  ${style.faint(`from ${from}`)}`)
    terminal.print(`${' '.repeat(width)}  ${visibleLine(quotedArgv(argvOf(server)))}`)
    if (state === 'untrusted') {
      terminal.print(`${' '.repeat(width)}  ${style.faint(`To use it: notewright mcp-servers trust ${name}`)}`)
    }
  }
}

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
  const { path, kept, argv } = await addServer(
    serverSettingsLocation(invocation),
    newServer(name, words, options, invocation.surroundings.currentFolder),
    'typed',
  )
  if (terminal.json) {
    const how = options.url === undefined ? { command: argv[0], args: argv.slice(1) } : { url: argv[0] }
    return terminal.printJson({ name, ...how, path })
  }
  terminal.say(`Added ${name}: ${visibleLine(quotedArgv(argv))}`)
  if (kept.length > 0) terminal.say(`Stored with your API keys, not in the settings: ${visibleLine(kept.join(', '))}`)
  terminal.say(`Its tools are off. To see them: notewright mcp-servers tools ${name}`)
}

function newServer(
  name: string,
  [command, ...args]: string[],
  { env, url, header = [] }: AddOptions,
  folder: string,
): NewServer {
  const needsOne = 'Give either a program (after --) or --url.'
  if (url === undefined) {
    if (command === undefined) throw new Failure('invalid-input', needsOne)
    if (header.length > 0) throw new Failure('invalid-input', '--header works only with --url.')
    // A relative path is resolved against the current folder, since Notewright may run elsewhere later.
    const isHere = (word: string) => /[./\\]/.test(word) && !isAbsolute(word) && existsSync(resolve(folder, word))
    const cwd = [command, ...args].some(isHere) && { cwd: folder }
    return { name, command, args, ...(env && { env: Object.fromEntries(env.map(variable)) }), ...cwd }
  }
  if (command !== undefined) throw new Failure('invalid-input', needsOne)
  if (env) throw new Failure('invalid-input', '--env works only with a program. With --url, use --header.')
  return { name, url, headers: Object.fromEntries(header.map(headerOf)) }
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Failure('invalid-input', `--env takes NAME=VALUE, not ${text.slice(0, 100)}.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function headerOf(text: string): [string, string] {
  const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*[\x21-\x7e])\s*$/.exec(text) ?? []
  // The input is not echoed in the error, since it may be a key.
  if (name === undefined) throw new Failure('invalid-input', '--header takes "Name: value" in ASCII characters.')
  return [name, value]
}

export async function serversRemove(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await removeServer(serverSettingsLocation(invocation), name)
  if (terminal.json) return terminal.printJson({ removed: name })
  terminal.say(`Removed ${name}.`)
}

export async function serversTest(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await approvePrograms(invocation, (id) => id === `mcp:${name}`)
  const tested = await testServer(serverSettingsLocation(invocation), name)
  if (terminal.json) return terminal.printJson(tested)
  const { server, protocol, tools, ms } = tested
  const { style } = terminal
  terminal.print(`${style.good('ok')}  ${visibleLine(`${server.name} ${server.version}`)}  ${protocol}  ${ms} ms`)
  for (const tool of tools) {
    terminal.print(`  ${tool.enabled ? style.good('on ') : style.faint('off')} ${visibleLine(tool.name)}`)
  }
}

export interface ToolsOptions {
  enable?: string[]
  disable?: string[]
  yes?: boolean
}

/**
 * Shows the descriptions of a server's tools. Descriptions of enabled tools are shown in full and saved as they were
 * when enabled.
 */
export async function serversTools(invocation: Invocation, name: string, options: ToolsOptions): Promise<void> {
  const { terminal, signal } = invocation
  const place = serverSettingsLocation(invocation)
  const found = await findServers(place)
  const { enable = [], disable = [], yes } = options
  if (disable.length > 0) await switchTools(found.setup, serverToolIds(name, disable), false)
  if (disable.length > 0 && enable.length === 0) {
    if (terminal.json) return terminal.printJson({ server: name, disabled: disable })
    return terminal.say(`Turned off: ${disable.join(', ')}`)
  }
  await approvePrograms(invocation, (id) => id === `mcp:${name}`)
  const states = await readToolStates(place, name, await findServers(place))
  const wanted = enable.length === 0 ? states : enable.map((each) => findToolState(each, name, states))
  if (!terminal.json) for (const state of wanted) showTool(state, terminal)
  if (enable.length > 0) {
    const which = enable.join(', ')
    if (!yes) {
      await confirm(terminal, {
        text: `Turn on ${which}, as shown above?`,
        needs: 'Turning on a tool of an MCP server needs your approval.',
        signal,
      })
    }
    await enableServerTools(place, name, wanted, found)
    if (!terminal.json)
      return terminal.say(
        `Turned on: ${which}. If the description of a tool changes, the tool turns off until you check it again.`,
      )
  }
  if (!terminal.json) return
  const now = enable.length === 0 ? states : wanted.map(({ tool }) => ({ tool, state: 'seen' as const, enabled: true }))
  terminal.printJson({ server: name, tools: now.map(reviewedToolRow) })
}

/** Prints a tool's full description. If it has changed, prints the old and the new one. */
export function showTool({ tool, state, enabled, before }: ReviewedTool, terminal: Terminal): void {
  const { style, print } = terminal
  const mark = { seen: enabled ? style.good('on') : style.faint('off'), new: 'new', changed: style.bad('changed') }[
    state
  ]
  print(`${style.strong(visibleLine(tool.name))}  ${visibleLine(serverToolTitle(tool))}  ${mark}`)
  if (state === 'changed' && before !== undefined) {
    const [was, is] = [linesOf(before), linesOf(tool)]
    for (const line of was.filter((each) => !is.includes(each))) print(style.bad(`- ${line}`))
    for (const line of is) print(was.includes(line) ? `  ${line}` : style.good(`+ ${line}`))
  } else for (const line of linesOf(tool)) print(`  ${line}`)
  print('')
}

function linesOf({ title, description = '', inputSchema, outputSchema, annotations }: ServerTool): string[] {
  const schemas = { title, inputSchema, outputSchema, annotations }
  return [...visibleBlanks(terminalText(description)).split('\n'), ...jsonLine(schemas, 2).split('\n')]
}

export async function serversTrust(invocation: Invocation, name: string, { yes }: { yes?: boolean }): Promise<void> {
  const { terminal } = invocation
  const found = await findServers(serverSettingsLocation(invocation))
  const { server, ...program } = serverToTrust(name, found)
  const whose = server.from === 'vault' ? `${vaultServersFile} in this vault wants` : 'Your settings want'
  const isProgram = 'command' in server.setting
  terminal.say(`${whose} to ${isProgram ? 'run' : 'connect to'}:`)
  showProgram(program, terminal)
  if (!yes) await confirmProgram(invocation)
  await trustServer(server, found.known, found.root)
  if (terminal.json) return terminal.printJson({ trusted: name, argv: program.argv })
  const where = server.from === 'vault' ? ' in this vault' : ''
  terminal.say(`Approved${where}. If it changes, it needs your approval again.`)
}
