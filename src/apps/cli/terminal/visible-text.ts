import { visibleJson, visibleText as withHiddenShown } from '../../../core/text/index.js'

/**
 * Text that came from a note, a file name or a model, made harmless for a terminal: control characters, escape
 * sequences, what turns text around and whatever cannot be seen are shown as `⟦U+001B⟧` instead of being obeyed.
 */
export function visibleText(text: string): string {
  return withHiddenShown(text).text.replace(/[\r\uFEFF]/g, (character) =>
    character === '\r' ? '⟦U+000D⟧' : '⟦U+FEFF⟧',
  )
}

/** The same on a single line: line breaks and tabs become spaces. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\r\n\t\v\f\u0085\u2028\u2029]+/g, ' '))
}

/** JSON for standard output. What JSON leaves as it is but a terminal might obey, or hide, is escaped too. */
export function jsonLine(value: unknown, indent?: number): string {
  return visibleJson(JSON.stringify(value, withoutBytes, indent))
}

/** Bytes that found their way into a failure's data are written as text, not as an object of numbers. */
function withoutBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value
}
