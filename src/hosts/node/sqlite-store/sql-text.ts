/** SQLite keeps text as UTF-8, which has no half surrogates: they become U+FFFD here, before the row is summed. */
export function wellFormed(text: string): string {
  const asWritten = text as string & { isWellFormed(): boolean; toWellFormed(): string }
  return asWritten.isWellFormed() ? text : asWritten.toWellFormed()
}

/** As a note wrote it: the drivers cut texts off at a zero character, so a text with one goes as bytes. */
export function anyText(text: string): string | Uint8Array {
  const stored = wellFormed(text)
  return stored.includes('\0') ? Buffer.from(stored) : stored
}

export function readAnyText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : `${value}`
}
