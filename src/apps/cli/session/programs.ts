import { isServerNeeded } from '../../../core/mcp/index.js'
import { quotedArgv } from '../../../core/text/index.js'
import type { ProgramRow } from '../../../hosts/node/settings/programs.js'
import { approveProgram, programRows } from '../../../hosts/node/settings/programs.js'
import type { LoadedSettings } from '../../../hosts/node/settings/settings.js'
import type { Invocation } from '../program/invocation.js'
import type { Terminal } from '../terminal/terminal.js'
import { confirm, pressKey, visibleLine } from '../terminal/terminal.js'
import { serverSettingsLocation } from './settings.js'

/**
 * Asks a user at the terminal about programs that are about to start and are not approved yet. Programs that are not
 * approved, and all of them without a user, are not started: the start itself explains how to approve them.
 */
export async function approvePrograms(invocation: Invocation, isMeant: (id: string) => boolean): Promise<void> {
  const { terminal, signal } = invocation
  if (!terminal.canAsk || terminal.json) return
  const place = serverSettingsLocation(invocation)
  for (const program of await programRows(place)) {
    if (program.approved || !isMeant(program.id)) continue
    terminal.say(`${whatItIs(program)} needs your approval to start. It runs:`)
    showProgram(program, terminal)
    const answer = await pressKey(terminal, 'Approve it on this computer? [y/N]', 'yn', signal)
    if (answer === 'y') await approveProgram(place, program.id, program.hash)
  }
}

/** True if a session with these settings starts the program: a server with a tool that is on, an own tool, its model. */
export function startsIn(
  { config }: Pick<LoadedSettings, 'config'>,
  model: string = config.model,
): (id: string) => boolean {
  const { mcpServers = {}, tools } = config
  return (id) => {
    const [kind, name = ''] = id.split(/:(.*)/s)
    if (kind === 'mcp') return Object.hasOwn(mcpServers, name) && isServerNeeded(name, tools.enabled)
    return kind === 'tool' || (kind === 'codex' && /^codex(\/|$)/.test(model))
  }
}

function whatItIs({ id }: ProgramRow): string {
  const [kind, name = ''] = id.split(/:(.*)/s)
  if (kind === 'mcp') return `The MCP server ${visibleLine(name)}`
  return kind === 'tool' ? `Your tool module ${visibleLine(name)}` : 'Codex'
}

/** Asks the user to approve a program whose command was just shown. */
export function confirmProgram({ terminal, signal }: Invocation): Promise<void> {
  return confirm(terminal, {
    text: 'Approve it?',
    needs: 'Starting a program needs your approval.',
    hint: 'Check the command above, then run this again with --yes.',
    signal,
  })
}

interface ShownProgram {
  argv: readonly string[]
  cwd?: string
  given: readonly (readonly [string, string])[]
}

/** The full command, as it would be started: shown before the user approves it. */
export function showProgram({ argv, cwd, given }: ShownProgram, terminal: Terminal): void {
  terminal.say(`  ${visibleLine(quotedArgv(argv))}`)
  if (cwd !== undefined) terminal.say(`  in ${visibleLine(cwd)}`)
  for (const [key, value] of given) terminal.say(`  ${visibleLine(`${key}=${value}`)}`)
  if (cwd !== undefined) terminal.say('It runs with your permissions and can read and change all your files.')
}
