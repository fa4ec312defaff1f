import { pricesAsOf } from '../../../../core/costs/index.js'
import { type StatsBy, type StatsRow, usageStats } from '../../../../core/session/index.js'
import type { Invocation } from '../../program/invocation.js'
import { sinceTime } from '../../program/since-time.js'
import { withSessions } from '../../session/with-sessions.js'
import { count } from '../../show/quantities.js'
import { money } from '../../show/session-rows.js'
import { padToWidth, visibleLine } from '../../terminal/index.js'

export async function stats(invocation: Invocation, options: { since?: string; by: StatsBy }): Promise<void> {
  const { terminal } = invocation
  const since = options.since === undefined ? undefined : sinceTime(options.since, new Date())
  await withSessions(invocation, async (store) => {
    const used = usageStats(await store.usage(since), options.by)
    if (terminal.json) return terminal.printJson(used)
    if (used.rows.length === 0) return terminal.say('No model has been used in this vault yet.')
    const width = Math.max(5, ...used.rows.map(({ key }) => visibleLine(key).length))
    for (const row of used.rows) terminal.print(line(visibleLine(row.key), row, width))
    if (used.rows.length > 1) terminal.print(terminal.style.strong(line('total', used.total, width)))
    if (used.total.cost === null) {
      terminal.say(
        terminal.messageStyle.faint(
          `– is not known: prices are of ${pricesAsOf}; yours: notewright config set prices.<provider/model> '{"input": 1, "output": 4}'`,
        ),
      )
    }
  })
}

function line(key: string, { turns, input, output, cached, cost }: Omit<StatsRow, 'key'>, width: number): string {
  const number = (value: number) => value.toLocaleString('en')
  const kept = cached === 0 ? '' : ` (${number(cached)} cached)`
  return `${padToWidth(key, width)}  ${count(turns, 'turn')}  ${number(input)} in${kept}  ${number(output)} out  ${money(cost)}`
}
