import type { Span } from '../scanned-note.js'

/** A string of the frontmatter and where it is written. */
export interface YamlString extends Span {
  /** The top-level key it belongs to. */
  property: string
  value: string
  /** Whether `text.slice(start, end)` is the value letter by letter; otherwise the span is the scalar's source. */
  isVerbatim: boolean
}

export interface YamlReading {
  /** Null-prototype objects all the way down. */
  data: Record<string, unknown>
  strings: YamlString[]
}

/** What an unquoted scalar means in YAML 1.2's core schema. Dates and `yes` are strings there. */
export function plainValue(source: string): unknown {
  const first = source.charCodeAt(0)
  // Digits, + - . ~, and the first letters of null, true, false.
  if (!(first >= 43 && first <= 57) && first !== 126 && !'nNtTfF'.includes(source[0])) return source
  if (/^(?:~|[Nn]ull|NULL)$/.test(source)) return null
  if (/^(?:[Tt]rue|TRUE)$/.test(source)) return true
  if (/^(?:[Ff]alse|FALSE)$/.test(source)) return false
  if (/^0o[0-7]+$/.test(source)) return finite(Number.parseInt(source.slice(2), 8))
  if (/^[-+]?[0-9]+$/.test(source)) return finite(Number.parseInt(source, 10))
  if (/^0x[0-9a-fA-F]+$/.test(source)) return finite(Number.parseInt(source.slice(2), 16))
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(source)) return first === 45 ? '-Infinity' : 'Infinity'
  if (/^\.(?:nan|NaN|NAN)$/.test(source)) return 'NaN'
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+$/.test(source)) return finite(Number.parseFloat(source))
  if (/^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/.test(source)) return finite(Number.parseFloat(source))
  return source
}

/** Infinity and NaN have no place in JSON; they are kept by name. */
export function finite(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
