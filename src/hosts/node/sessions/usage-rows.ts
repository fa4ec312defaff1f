import type { UsageRow } from '../../../core/session/index.js'
import type { SqliteDriver } from '../sqlite-store/index.js'

export function addUsageRow(driver: SqliteDriver, row: UsageRow): void {
  const { time, session = null, turn = null, model, project = null, input, output, cached, cost } = row
  driver.run(
    'INSERT INTO usage (time, session, turn, model, project, input, output, cached, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    [time, session, turn, model, project, input, output, cached, cost],
  )
}

export function usageRows(driver: SqliteDriver, since?: Date): UsageRow[] {
  return driver
    .all(
      'SELECT time, session, turn, model, project, input, output, cached, cost FROM usage WHERE time >= ? ORDER BY time, rowid',
      [since?.toISOString() ?? ''],
    )
    .map(([time, session, turn, model, project, input, output, cached, cost]) => ({
      time: `${time}`,
      ...(session !== null && { session: `${session}` }),
      ...(turn !== null && { turn: `${turn}` }),
      model: `${model}`,
      ...(project !== null && { project: `${project}` }),
      input: Number(input),
      output: Number(output),
      cached: Number(cached),
      cost: cost === null ? null : Number(cost),
    }))
}

/** What was paid was paid; for which session is forgotten with it. */
export function forgetWhose(driver: SqliteDriver, session: string): void {
  driver.run('UPDATE usage SET session = NULL, project = NULL WHERE session = ?', [session])
}
