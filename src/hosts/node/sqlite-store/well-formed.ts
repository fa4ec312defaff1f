/** SQLite keeps text as UTF-8, which has no half surrogates: they become U+FFFD here, before the row is hashed. */
export function wellFormed(text: string): string {
  const asWritten = text as string & { isWellFormed(): boolean; toWellFormed(): string }
  return asWritten.isWellFormed() ? text : asWritten.toWellFormed()
}
