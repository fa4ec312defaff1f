import { quotedArgv } from '../../../core/text/index.js'
import { approveProgram, findProgram, programRows, withdrawProgram } from '../../../hosts/node/settings/programs.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { noConfirmationOption, withoutSubcommand } from '../program/options.js'
import { confirmProgram, showProgram } from '../session/programs.js'
import { serverSettingsLocation } from '../session/settings.js'
import { visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export const declarePrograms: DeclareCommand = (command, run) => {
  command.addHelpText('after', examples(['notewright programs list'], ['notewright programs approve mcp:files']))
  command
    .command('list')
    .description('List the programs and their full commands. Starts none.')
    .addHelpText('after', examples(['notewright programs list'], ['notewright programs list --json']))
    .action(() => run((to) => programsList(to)))
  command
    .command('approve')
    .description(
      'Show the full command of a program and approve it on this computer.\nIf the command changes, it needs your approval again.',
    )
    .argument('<id>', 'id of the program in `programs list`')
    .addOption(noConfirmationOption())
    .addHelpText(
      'after',
      examples(['notewright programs approve mcp:files'], ['notewright programs approve codex --yes']),
    )
    .action((id: string, options) => run((to) => programsApprove(to, id, options)))
  command
    .command('revoke')
    .description('Revoke the approval of a program. It will not start until you approve it again.')
    .argument('<id>', 'id of the program in `programs list`')
    .addHelpText('after', examples(['notewright programs revoke codex']))
    .action((id: string) => run((to) => programsRevoke(to, id)))
  withoutSubcommand(command, () => run((to) => programsList(to)))
}

export async function programsList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const programs = await programRows(serverSettingsLocation(invocation))
  if (terminal.json) return terminal.printJson({ programs })
  if (programs.length === 0) return terminal.say('No programs: MCP servers, tool modules and Codex are not set up.')
  const { style } = terminal
  const width = Math.max(...programs.map(({ id }) => id.length))
  for (const { id, argv, cwd, approved } of programs) {
    const mark = approved ? style.good('approved') : style.warning('not approved')
    terminal.print(`${padToWidth(visibleLine(id), width)}  ${mark}`)
    terminal.print(`${' '.repeat(width)}  ${visibleLine(quotedArgv(argv))}  ${style.faint(`in ${visibleLine(cwd)}`)}`)
  }
}

export async function programsApprove(invocation: Invocation, id: string, { yes }: { yes?: boolean }): Promise<void> {
  const { terminal } = invocation
  const place = serverSettingsLocation(invocation)
  const program = await findProgram(place, id)
  terminal.say(`${visibleLine(program.id)} runs:`)
  showProgram(program, terminal)
  if (!yes) await confirmProgram(invocation)
  const approved = await approveProgram(place, program.id, program.hash)
  if (terminal.json) return terminal.printJson(approved)
  terminal.say('Approved on this computer. If its command changes, it needs your approval again.')
}

export async function programsRevoke(invocation: Invocation, id: string): Promise<void> {
  const { terminal } = invocation
  const place = serverSettingsLocation(invocation)
  const program = await findProgram(place, id)
  await withdrawProgram(place, program.id)
  if (terminal.json) return terminal.printJson({ ...program, approved: false })
  terminal.say(`${visibleLine(program.id)} is no longer approved.`)
}
