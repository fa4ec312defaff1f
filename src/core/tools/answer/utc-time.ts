/** ISO 8601 in UTC; null for a time that is no time, as a damaged disk may report. */
export function utcTime(ms: number): string | null {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
