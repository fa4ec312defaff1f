import { wrongValue } from './check-config.js'
import type { Setting } from './settings.js'

/** Reads what a person typed: the text itself, JSON, or a list with commas, whichever the setting takes. */
export function valueFromText(setting: Setting, text: string, where?: string): unknown {
  const readings: (() => unknown)[] = [() => text, () => JSON.parse(text) as unknown, () => commaList(text)]
  for (const reading of readings) {
    try {
      const value: unknown = reading()
      if (setting.accepts(value)) return value
    } catch {
      // Not JSON: the next reading may fit.
    }
  }
  throw wrongValue(setting.key, setting.expects, where)
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
