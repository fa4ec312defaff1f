import type { LoggedCall } from '../../../../core/tools/index.js'
import { callsFolder, type LogQuestion, readLog, verifyLog } from '../../../../hosts/node/call-log/index.js'
import { vaultFolders } from '../../../../hosts/node/state/index.js'
import type { Invocation } from '../../program/invocation.js'
import { sinceTime } from '../../program/since-time.js'
import { locateVault, readSettings } from '../../session/locate-vault.js'
import { count } from '../../show/quantities.js'
import { jsonLine, type Terminal, visibleLine } from '../../terminal/index.js'
import { callHeading, showCall } from './show-calls.js'
import { showEgress } from './show-egress.js'

export interface LogOptions {
  tool?: string
  since?: string
  failed?: boolean
  limit?: number
  follow?: boolean
  verify?: boolean
  egress?: boolean
}

/** How many calls a person is shown who did not say; a program gets them all. */
const usualLimit = 20

/** Shows the tool calls of a vault, oldest first. */
export async function log(invocation: Invocation, options: LogOptions): Promise<void> {
  const { terminal, signal } = invocation
  const since = options.since === undefined ? undefined : sinceTime(options.since, new Date())
  const setting = await readSettings(invocation)
  const { root } = await locateVault(invocation, setting)
  const folder = callsFolder(vaultFolders(setting.folders, root).journal)
  if (options.verify) return verify(invocation, folder)
  if (options.egress) return showEgress(invocation, { folder, since, limit: options.limit })

  const limit = options.limit ?? (terminal.json ? Number.POSITIVE_INFINITY : usualLimit)
  const { tool, failed, follow } = options
  let damaged = 0
  const onDamaged = (rows: number) => (damaged = rows)
  const question: LogQuestion = { folder, tool, since, failed, follow, signal, onDamaged }
  const print = printer(terminal)
  if (follow) {
    for await (const call of readLog({ ...question, last: limit })) print(call)
    return
  }
  // One more than is shown tells that there are more.
  const calls: LoggedCall[] = []
  for await (const call of readLog({ ...question, last: limit + 1 })) calls.push(call)
  for (const call of calls.slice(-limit)) print(call)
  if (calls.length > limit) terminal.say(`These are the last ${limit}. Show more with -n ${limit * 10}.`)
  if (calls.length === 0 && !terminal.json) terminal.say(nothing(options))
  if (damaged > 0) terminal.say(`${count(damaged, 'damaged row')} left out; notewright log --verify says which.`)
}

function printer(terminal: Terminal): (call: LoggedCall) => void {
  let isFirst = true
  return (call) => {
    if (terminal.json) return terminal.print(jsonLine(call))
    if (isFirst) terminal.print(callHeading(terminal))
    isFirst = false
    terminal.print(showCall(call, terminal))
  }
}

async function verify({ terminal }: Invocation, folder: string): Promise<void> {
  const { isWhole, rows, first, last, problems, hasTornRow } = await verifyLog({ folder })
  if (!isWhole) process.exitCode = 1
  if (terminal.json) return terminal.printJson({ ok: isWhole, rows, first, last, hasTornRow, problems })
  const { style } = terminal
  for (const { file, line, text } of problems) {
    terminal.print(`${style.bad('✗')} ${file}${line === undefined ? '' : `:${line}`}  ${visibleLine(text)}`)
  }
  if (isWhole) terminal.print(`${style.good('✓')} The log is whole: ${count(rows, 'row')}.`)
  if (first !== undefined && first > 1) terminal.print(style.faint(`Rows before ${first} were dropped for space.`))
  if (hasTornRow) terminal.print(style.faint('The last row was cut off while it was written; it counts for nothing.'))
}

function nothing({ tool, since, failed }: LogOptions): string {
  const isFiltered = tool !== undefined || since !== undefined || failed
  return isFiltered ? 'No such calls in the log.' : 'No tool has been called in this vault yet.'
}
