import { Failure } from '../../../core/errors.js'

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** A moment in the past: `2h` ago, the beginning of the local day `2026-01-31`, or an ISO time. */
export function sinceTime(text: string, now: Date): Date {
  const ago = /^(\d{1,6})\s?([smhdw])$/.exec(text.trim())
  if (ago !== null) return new Date(now.getTime() - Number(ago[1]) * units[ago[2]])
  // A plain date would be read as midnight in Greenwich.
  const time = isoTime.test(text) ? Date.parse(text.length === 10 ? `${text}T00:00` : text) : Number.NaN
  if (Number.isNaN(time)) {
    throw new Failure('invalid-input', `--since takes a time, not "${text}"`, {
      hint: 'Write it like 30m, 2h, 3d, 2026-01-31 or 2026-01-31T18:30.',
    })
  }
  return new Date(time)
}
