import type { DecodedNote } from './decode-note.js'

/** So much of a note tells what the rest is like. */
const sample = 65_536
/** An old code page of a language in Latin letters stays below; one of another script does not, nor do random bytes. */
const oddShare = 0.2
/** What was lost in decoding, and control characters that no text holds. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const odd = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g

/** Whether a note is text at all. One that is not UTF-8 may still be, with a few characters lost. */
export function isText({ text, encoding }: DecodedNote): boolean {
  if (encoding !== 'invalid' && !text.includes('\0')) return true
  const looked = text.slice(0, sample)
  return (looked.match(odd)?.length ?? 0) < oddShare * looked.length
}
