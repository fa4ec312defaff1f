/** Properties that say when a note was made, best first. Compared without case, spaces, `_` and `-`. */
const createdKeys = ['created', 'createdat', 'createdon', 'datecreated', 'creationdate', 'ctime', 'date']

/** When a note says it was made: its frontmatter, else a date that begins its file name (`2024-05-01 Standup.md`). */
export function createdDate(fileName: string, properties: Record<string, unknown> | null): number | undefined {
  if (properties !== null) {
    const byKey = new Map<string, unknown>()
    for (const key of Object.keys(properties)) byKey.set(key.toLowerCase().replace(/[\s_-]/g, ''), properties[key])
    for (const key of createdKeys) {
      const value = byKey.get(key)
      const date = typeof value === 'string' ? parseDate(value.trim()) : undefined
      if (date !== undefined) return date
    }
  }
  const dated = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(fileName)
  return dated === null ? undefined : parseDate(dated[0])
}

/** Milliseconds of `YYYY-MM-DD`, with or without a time and a zone; local where no zone is given. */
export function parseDate(text: string): number | undefined {
  const match =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text.replace(/^\[\[(.*)\]\]$/, '$1'),
    )
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const millisecond = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 24 || minute > 59 || second > 60) {
    return undefined
  }
  const zone = match[8]
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second, millisecond).getTime()
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond) - zoneOffset(zone)
}

function zoneOffset(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
