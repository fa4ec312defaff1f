/** Takes keys out of a text from outside: those given, however they are escaped, and whatever else looks like one. */
export function redactKeys(text: string, secrets: readonly string[]): string {
  let clean = text
  // The longest first: one key may begin another.
  const known = secrets.flatMap(spellings).sort((a, b) => b.length - a.length)
  for (const spelling of known) clean = clean.split(spelling).join(redacted)
  return clean.replace(looksLikeKey, redacted)
}

const redacted = '[key]'

function spellings(key: string): string[] {
  // Shorter than this it is no key, and would blacken half of the text.
  if (key.length < 4) return []
  const quoted = JSON.stringify(key).slice(1, -1)
  return [...new Set([key, quoted, encodeURIComponent(key)])]
}

/** Prefixes of well-known providers, with the stars some of them put into a key they repeat. */
const looksLikeKey =
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|pplx)[-_][\w*.-]{8,}|\bAIza[\w*-]{10,}|\bBearer\s+[\w.~+/*-]{8,}=*/g
