/**
 * The text of a file with rules, in UTF-8 or in the UTF-16 that some editors and shells write, with or without a mark.
 * undefined for anything else: rules that were guessed at would protect something else than they say.
 */
export function decodeRules(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
    return notText.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const notText = /[\0-\x08\x0e-\x1f\ufffe\uffff]/

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // In UTF-16 without a mark a line break, a slash or a plain letter has a zero in one half.
  const zero = bytes.indexOf(0)
  if (zero < 0) return 'utf-8'
  return zero % 2 === 1 ? 'utf-16le' : 'utf-16be'
}
