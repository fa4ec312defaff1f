/** `1,234 notes`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${groupDigits(number)} ${number === 1 ? one : many}`
}

/** A whole number as `1,234,567`. Not `toLocaleString`, which takes 0.1 ms per call: a page shows thousands. */
export function groupDigits(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

export function bytes(size: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = size
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** Local time to the minute: `2025-01-31 18:30`. */
export function localDateTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** A scalar of foreign data as text; '' for a list, an object or no value. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? `${value}` : ''
}

/** A command line with quotes around unusual arguments, so that it is clear where one ends. */
export function quotedArgv(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
