import { isoTime, timeZone } from '../time/time-zone.js'

/** ISO 8601 on the person's own clock, which is what dates in filters mean; null for a time that is no time. */
export function localTime(ms: number, zoneName: string): string | null {
  if (Number.isNaN(new Date(ms).getTime())) return null
  const zone = timeZone(zoneName)
  const offset = zone.offsetAt(ms)
  const wall = new Date(ms + offset).toISOString()
  return offset === 0 ? wall : `${wall.slice(0, 23)}${isoTime(ms, zone).slice(19)}`
}
