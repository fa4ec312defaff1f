/**
 * Text that came from a note, a file name or a model, made harmless for a terminal: control characters, escape
 * sequences and bidirectional overrides are shown as `\x1b` or `\u202e` instead of being obeyed.
 */
export function visibleText(text: string): string {
  return text.replace(unsafe, (character) => escapeOf(character))
}

/** The same on a single line: line breaks and tabs become spaces. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\r\n\t\v\f\u0085\u2028\u2029]+/g, ' '))
}

/** JSON for standard output. What JSON leaves as it is but a terminal might obey is escaped too. */
export function jsonLine(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, withoutBytes, indent)
  return text.replace(unsafeInJson, (character) => unicodeEscape(character))
}

// Tab and line feed are harmless; lone surrogates cannot be encoded.
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu
const unsafeInJson = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]/g

function escapeOf(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : unicodeEscape(character)
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Bytes that found their way into a failure's data are written as text, not as an object of numbers. */
function withoutBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value
}
