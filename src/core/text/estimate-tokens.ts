/**
 * Estimates the tokens of a text without a tokenizer. Errs on the high side of common tokenizers for prose, Markdown,
 * JSON and other scripts.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at++) tokens += weightOf(text.charCodeAt(at))
  return Math.ceil(tokens)
}

/** How many characters of a text like this fit into `tokens`. */
export function charactersFor(text: string, tokens: number): number {
  const all = estimateTokens(text)
  return all <= tokens ? text.length : Math.floor((text.length * tokens) / all)
}

const letter = 0.27
const space = 0.15
/** Digits, punctuation, line breaks. */
const mark = 0.5

const ascii = Array.from({ length: 128 }, (_, code) => {
  if (code === 32) return space
  return /[A-Za-z]/.test(String.fromCharCode(code)) ? letter : mark
})

function weightOf(code: number): number {
  if (code < 0x80) return ascii[code] ?? mark
  // Accented letters; Greek, Cyrillic, Hebrew, Arabic and Indic scripts; symbols and scripts with one token per character.
  if (code < 0x250) return 0.6
  if (code < 0x2000) return 0.5
  return 1
}
