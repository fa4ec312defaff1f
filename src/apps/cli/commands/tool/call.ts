import { Failure } from '../../../../core/errors.js'
import { forPeople } from '../../../../core/text/index.js'
import { type ToolResult, toolNamed } from '../../../../core/tools/index.js'
import { exitCodes } from '../../program/exit-codes.js'
import type { Invocation } from '../../program/invocation.js'
import { withCommand } from '../../program/with-command.js'
import { type OpenedSession, type SessionFlags, usualServersMs, withSession } from '../../session/with-session.js'
import { switchedOff } from '../../show/switched-off.js'
import { visibleText } from '../../terminal/index.js'

export interface CallOptions extends SessionFlags {
  input?: string
}

/** Runs one tool as a model would call it, under the same policy. */
export async function toolCall(invocation: Invocation, name: string, options: CallOptions): Promise<void> {
  const { terminal } = invocation
  const input = await readInput(options.input, terminal.input)
  const work = async ({ session, vault }: OpenedSession) => {
    const meant = toolNamed(name, vault.registry)?.tool.name ?? name
    const result = await session.call({ name: meant, input }, invocation.signal)
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
    terminal.print(visibleText(result.text))
    for (const { diff } of result.planned?.changes ?? []) if (diff !== undefined) terminal.print(visibleText(diff))
    if (result.changeSet)
      terminal.say(terminal.messageStyle.faint(`To take it back: notewright undo ${result.changeSet.id}`))
  }
  await withSession(invocation, options, work, isOfServer(name) ? { serversMs: usualServersMs } : {})
}

/** As `server/tool`, `server__tool` or `mcp_server_tool`. */
const isOfServer = (name: string): boolean => /\/|__|^mcp_/.test(name)

function asFailure({ code, text, hint, command }: Extract<ToolResult, { ok: false }>) {
  return { ok: false, code, text, ...(hint && { hint }), ...(command && { command }) }
}

function sayFailure({ code, text, command }: Extract<ToolResult, { ok: false }>, { terminal }: Invocation): void {
  const mark = code === 'denied' ? '' : `${terminal.messageStyle.bad('error')} `
  terminal.say(mark + visibleText(withCommand(forPeople(text), command)))
}

/** The arguments: JSON on the command line, or `-` for standard input. */
async function readInput(given: string | undefined, stdin: NodeJS.ReadStream): Promise<string> {
  if (given !== '-') return given ?? ''
  if (stdin.isTTY) throw new Failure('invalid-input', '--input - reads standard input, and nothing is piped in.')
  const parts: Buffer[] = []
  for await (const part of stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
