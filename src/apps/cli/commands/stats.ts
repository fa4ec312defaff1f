import { Option } from 'commander'
import { pricesAsOf } from '../../../core/costs.js'
import type { StatsBy, StatsRow } from '../../../core/session/index.js'
import { usageStats } from '../../../core/session/index.js'
import { count } from '../../../core/text/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { sinceTime } from '../program/options.js'
import { withSessions } from '../session/stored-sessions.js'
import { money } from '../show/sessions.js'
import { visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export const declareStats: DeclareCommand = (command, run) => {
  command
    .option('--since <when>', 'only usage since then: 30m, 2h, 3d, 2026-01-31 or an ISO time')
    .addOption(new Option('--by <what>', 'group by').choices(['model', 'day', 'session', 'project']).default('model'))
    .addHelpText('after', examples(['notewright stats'], ['notewright stats --since 30d --by day --json']))
    .action((options) => run((to) => stats(to, options)))
}

export async function stats(invocation: Invocation, options: { since?: string; by: StatsBy }): Promise<void> {
  const { terminal } = invocation
  const since = options.since === undefined ? undefined : sinceTime(options.since, new Date())
  await withSessions(invocation, async (store) => {
    const used = usageStats(await store.usage(since), options.by)
    if (terminal.json) return terminal.printJson(used)
    if (used.rows.length === 0) return terminal.say('No models used in this vault yet.')
    const width = Math.max(5, ...used.rows.map(({ key }) => visibleLine(key).length))
    for (const row of used.rows) terminal.print(line(visibleLine(row.key), row, width))
    if (used.rows.length > 1) terminal.print(terminal.style.strong(line('total', used.total, width)))
    if (used.total.cost === null) {
      terminal.say(
        terminal.messageStyle.faint(
          `– means an unknown cost. Prices are from ${pricesAsOf}. To add one: notewright config set prices.<provider/model> '{"input": 1, "output": 4}'`,
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
