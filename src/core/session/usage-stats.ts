import { addCost, type UsageRow } from './session-store.js'

export type StatsBy = 'model' | 'day' | 'session' | 'project'

interface UsageStats {
  rows: StatsRow[]
  total: Omit<StatsRow, 'key'>
}

export interface StatsRow {
  key: string
  turns: number
  input: number
  output: number
  cached: number
  /** In US dollars; null if a part of it is unknown. */
  cost: number | null
}

/** Usage grouped by one field. Days are in order; other groups start with the largest. */
export function usageStats(used: readonly UsageRow[], by: StatsBy): UsageStats {
  const groups = new Map<string, UsageRow[]>()
  for (const row of used) {
    const key = keyOf(row, by)
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const rows = [...groups].map(([key, group]) => ({ key, ...summed(group) }))
  rows.sort((a, b) => (by === 'day' ? (a.key < b.key ? -1 : 1) : b.input + b.output - (a.input + a.output)))
  return { rows, total: summed(used) }
}

function keyOf({ time, model, session, project }: UsageRow, by: StatsBy): string {
  switch (by) {
    case 'model':
      return model
    case 'day':
      return localDay(new Date(time))
    case 'session':
      return session ?? '(not kept)'
    case 'project':
      return project ?? '(none)'
    default:
      return by satisfies never
  }
}

function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function summed(rows: readonly UsageRow[]): Omit<StatsRow, 'key'> {
  const sum = (key: 'input' | 'output' | 'cached') => rows.reduce((total, row) => total + row[key], 0)
  let cost: number | null | undefined
  for (const row of rows) cost = addCost(cost, row.cost)
  const turns = new Set(rows.flatMap(({ turn }) => turn ?? [])).size
  return { turns, input: sum('input'), output: sum('output'), cached: sum('cached'), cost: cost ?? null }
}
