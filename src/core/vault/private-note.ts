/** Answers whether a note's text says `private: true`. The host is given one; `core/markdown` has the real reader. */
export type PrivacyCheck = (text: string) => boolean

/** Asks the real reader only where the first bytes leave a doubt: most notes have no such property. */
export function isPrivateNote(text: string, check: PrivacyCheck): boolean {
  return mayBePrivate(text) && check(text)
}

// A quoted key can spell letters as escapes, so a backslash in the frontmatter is a doubt too.
function mayBePrivate(text: string): boolean {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  if (!text.startsWith('---', start)) return false
  const close = text.indexOf('\n---', start)
  const head = text.slice(start, close === -1 ? headLimit : Math.min(close, headLimit))
  return /private|\\/i.test(head)
}

const headLimit = 262_144
