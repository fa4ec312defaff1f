import type { Timer } from '../tool-context.js'

export const minuteMs = 60_000

export function endOf({ startedAt, minutes }: Timer): number {
  return startedAt + minutes * minuteMs
}

/** "4 minutes 10 seconds" */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const counted = (number: number, unit: string) =>
    number === 0 ? [] : [`${number} ${unit}${number === 1 ? '' : 's'}`]
  const parts = [...counted(Math.floor(seconds / 60), 'minute'), ...counted(seconds % 60, 'second')]
  return parts.join(' ') || '0 seconds'
}
