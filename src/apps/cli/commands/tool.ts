import { Failure } from '../../../core/errors.js'
import { isServerNeeded } from '../../../core/mcp/index.js'
import { aliases, findTool, findToolById, type ToolResult } from '../../../core/tools/index.js'
import { notApproved } from '../../../hosts/node/approved-programs.js'
import { programRows } from '../../../hosts/node/settings/programs.js'
import { configuredTools, switchTool, toolDetails, toolRows } from '../../../hosts/node/settings/tools.js'
import { exitCodes, withCommand } from '../program/failures.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { approvalOptions, approveAllOption, dryRunOption, withoutSubcommand } from '../program/options.js'
import { defaultServersWaitMs, type OpenedSession, type SessionFlags, withSession } from '../session/open-session.js'
import { readSettings, serverSettingsLocation } from '../session/settings.js'
import { exampleCall, switchedOff } from '../show/tools.js'
import { jsonLine, terminalText, visibleLine } from '../terminal/terminal.js'
import { cutToWidth, padToWidth, wrapToWidth } from '../terminal/text-width.js'

export const declareTool: DeclareCommand = (command, run) => {
  command.addHelpText('after', examples(['notewright tool list'], ['notewright tool show read_note']))
  command
    .command('list')
    .description('List all tools and whether they are on.')
    .addHelpText('after', examples(['notewright tool list'], ['notewright tool list --json', 'with input schemas']))
    .action(() => run((to) => toolList(to)))
  command
    .command('show')
    .description('Show a tool: description, input, and instructions for models.')
    .argument('<tool>', 'name of the tool, or an alias')
    .addHelpText('after', examples(['notewright tool show edit_note']))
    .action((name: string) => run((to) => toolShow(to, name)))
  approvalOptions(
    command
      .command('call')
      .description('Call a tool as a model would, with the same approvals and log.')
      .argument('<tool>', 'name of the tool')
      .option('--input <json>', 'arguments as JSON, or - for standard input')
      .addOption(approveAllOption())
      .addOption(dryRunOption())
      .option('--session <name>', 'chat the call belongs to, so that it can be undone with it'),
  )
    .addHelpText(
      'after',
      examples(
        [`notewright tool call search_notes --input '{"query": "tomatoes"}'`],
        [`notewright tool call append_note --input '{"path": "Inbox.md", "content": "- milk"}' --dry-run`],
        ['notewright tool call write_note --input - --yes < note.json'],
      ),
    )
    .action((name: string, options) => run((to) => toolCall(to, name, options)))
  for (const [word, isOn] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    command
      .command(word)
      .description(`Turn ${isOn ? 'on' : 'off'} a tool, in your settings.`)
      .argument('<tool>', 'name of the tool')
      .addHelpText('after', examples([`notewright tool ${word} ${isOn ? 'web_fetch' : 'delete_note'}`]))
      .action((name: string) => run((to) => toolEnable(to, name, isOn)))
  }
  withoutSubcommand(command, () => run((to) => toolList(to)))
}

export async function toolList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const setting = await readSettings(invocation)
  const configured = await configuredTools(setting)
  const rows = toolRows(configured)
  for (const trouble of configured.troubles) terminal.say(visibleLine(trouble))
  if (terminal.json) return terminal.printJson({ tools: rows })
  const { registry, toolset } = configured
  const width = Math.max(...rows.map(({ name }) => name.length))
  const { style } = terminal
  for (const [category, members] of registry.byCategory()) {
    terminal.print(style.strong(category))
    for (const tool of members) {
      const mark = toolset.names.has(tool.name) ? style.good('on ') : style.faint('off')
      const about = cutToWidth(visibleLine(firstSentence(tool.description)), terminal.width - width - 8)
      terminal.print(`  ${mark} ${padToWidth(tool.name, width)}  ${style.faint(about)}`)
    }
  }
  if (!setting.config.tools.calling) terminal.say('Models get no tools, because tools.calling is false.')
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text

export async function toolShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  const configured = await configuredTools(await readSettings(invocation))
  const data = toolDetails(configured, name)
  if (terminal.json) return terminal.printJson(data)
  const { tool, source } = findTool(configured.registry, { name, input: {} }).registered
  const { style, width } = terminal
  terminal.print(`${style.strong(tool.title)}  ${tool.name}  ${data.enabled ? style.good('on') : style.faint('off')}`)
  for (const line of wrapToWidth(terminalText(tool.description), width)) terminal.print(line)
  terminal.print('')
  const rows = [
    ['category', tool.category],
    ['effects', tool.effects.join(', ') || 'none'],
    ['aliases', data.aliases.join(', ')],
    ['from', terminalText(source)],
  ]
  for (const [label = '', value] of rows) if (value !== '') terminal.print(`${style.faint(label.padEnd(12))} ${value}`)
  if (data.guidance) {
    terminal.print(`\n${style.faint('guidance')}`)
    for (const line of wrapToWidth(terminalText(data.guidance), width)) terminal.print(line)
  }
  if (tool.example) terminal.print(`\n${style.faint('example')}\n${terminalText(exampleCall(tool))}`)
  terminal.print(`\n${style.faint('input')}\n${jsonLine(data.inputSchema, 2)}`)
}

export interface CallOptions extends SessionFlags {
  input?: string
}

/** Runs one tool as a model would call it, under the same policy. */
export async function toolCall(invocation: Invocation, name: string, options: CallOptions): Promise<void> {
  const { terminal } = invocation
  const input = await readInput(options.input, terminal.input)
  const work = async ({ session, vault }: OpenedSession) => {
    // A name of other systems stays as it is: their arguments are read as a model's would be.
    const meant = Object.hasOwn(aliases, name) ? name : (findToolById(name, vault.registry)?.tool.name ?? name)
    const result = await session.call({ name: meant, input }, invocation.signal)
    if (!result.ok && result.code === 'unknown-tool') await refuseUnapproved(name, invocation)
    const off = !result.ok && result.code === 'unknown-tool' ? switchedOff(name) : undefined
    if (off !== undefined) throw new Failure('unknown-tool', off)
    if (!result.ok) {
      if (terminal.json) terminal.printJson(asFailure(result))
      else sayFailure(result, invocation)
      process.exitCode = exitCodes[result.code]
      return
    }
    if (terminal.json) {
      return terminal.printJson({
        ok: true,
        output: result.output,
        text: result.text,
        ...(result.changeSet && { changeSet: result.changeSet }),
        ...(result.planned && { changeSet: { ...result.planned, applied: false } }),
        ...(result.userEdited && { userEdited: true }),
        log_id: result.logId,
      })
    }
    terminal.print(terminalText(result.text))
    for (const { diff } of result.planned?.changes ?? []) if (diff !== undefined) terminal.print(terminalText(diff))
    if (result.changeSet) terminal.say(terminal.messageStyle.faint(`To undo: notewright undo ${result.changeSet.id}`))
  }
  await withSession(invocation, options, work, isOfServer(name) ? { serversMs: defaultServersWaitMs } : {})
}

/** A tool that is not there because its server may not be started. */
async function refuseUnapproved(name: string, invocation: Invocation): Promise<void> {
  if (!isOfServer(name)) return
  const programs = await programRows(serverSettingsLocation(invocation))
  const ofTool = programs.find(({ id, approved }) => {
    const [kind, server = ''] = id.split(/:(.*)/s)
    return kind === 'mcp' && !approved && isServerNeeded(server, [name])
  })
  if (ofTool !== undefined) throw notApproved(ofTool)
}

/** As `server/tool`, `server__tool` or `mcp_server_tool`. */
const isOfServer = (name: string): boolean => /\/|__|^mcp_/.test(name)

function asFailure({ code, text, hint, command }: Extract<ToolResult, { ok: false }>) {
  return { ok: false, code, text, ...(hint && { hint }), ...(command && { command }) }
}

function sayFailure(
  { code, text, forUser, command }: Extract<ToolResult, { ok: false }>,
  { terminal }: Invocation,
): void {
  const mark = code === 'denied' ? '' : `${terminal.messageStyle.bad('error')} `
  terminal.say(mark + terminalText(withCommand(forUser ?? text, command)))
}

/** The arguments: JSON on the command line, or `-` for standard input. */
async function readInput(given: string | undefined, stdin: NodeJS.ReadStream): Promise<string> {
  if (given !== '-') return given ?? ''
  if (stdin.isTTY) throw new Failure('invalid-input', '--input - reads standard input, but nothing is piped in.')
  const parts: Buffer[] = []
  for await (const part of stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** Switches one tool on or off in the user's configuration. */
export async function toolEnable(invocation: Invocation, name: string, isOn: boolean): Promise<void> {
  const { terminal } = invocation
  const { waits, ...tool } = await switchTool(await readSettings(invocation), name, isOn)
  if (terminal.json) return terminal.printJson(tool)
  terminal.say(`${visibleLine(tool.name)} is ${isOn ? 'on' : 'off'}${waits ? ' once its server is connected' : ''}.`)
}
