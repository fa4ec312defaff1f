// Keys that cannot slip into logs, and the removal of keys from text.

/** A key that cannot slip into a log: only `reveal()` shows it. */
export interface Secret {
  reveal(): string
}

/** Wraps a key so that printing or logging it shows nothing. */
export function secret(value: string): Secret {
  const hidden = {
    reveal: () => value,
    toString: () => placeholder,
    toJSON: () => placeholder,
    [Symbol.toPrimitive]: () => placeholder,
    [Symbol.for('nodejs.util.inspect.custom')]: () => placeholder,
  }
  return Object.freeze(hidden)
}

const placeholder = '[secret]'

/**
 * Removes keys from text that comes from outside: the given keys in every escaped form, and anything that looks like a
 * key.
 */
export function redactKeys(text: string, secrets: readonly string[]): string {
  let clean = text
  // Longest first: one key may be the beginning of another.
  const known = secrets.flatMap(spellings).sort((a, b) => b.length - a.length)
  for (const spelling of known) clean = clean.split(spelling).join(redacted)
  return clean.replace(looksLikeKey, redacted)
}

const redacted = '[key]'

function spellings(key: string): string[] {
  // Shorter texts are no keys, and would black out half of the text.
  if (key.length < 4) return []
  const quoted = JSON.stringify(key).slice(1, -1)
  return [...new Set([key, quoted, encodeURIComponent(key)])]
}

/** Prefixes of well-known providers. Some repeat a key with stars in it. */
const looksLikeKey =
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|pplx)[-_][\w*.-]{8,}|\bAIza[\w*-]{10,}|\bBearer\s+[\w.~+/*-]{8,}=*/g
