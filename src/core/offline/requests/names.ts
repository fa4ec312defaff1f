const marks: readonly [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['‘', '’'],
  ['«', '»'],
  ["'", "'"],
  ['`', '`'],
]

/** Words without the quotation marks around them. */
export function unquoted(words: string): string {
  const text = words.trim()
  const pair = marks.find(([open, close]) => text.length > 2 && text.startsWith(open) && text.endsWith(close))
  return pair === undefined ? text : text.slice(1, -1).trim()
}

/** Whether a person has said where a name begins and ends. */
export function isMarked(words: string): boolean {
  const text = words.trim()
  return unquoted(text) !== text || /^\[\[.+\]\]$/.test(text) || /\.md$/i.test(text)
}

const before =
  /^(?:(?:the|my|our)\s+(?:note|file|page)\s+(?:(?:called|named|titled)\s+)?|(?:note|file|page)\s+(?:(?:called|named|titled)\s+|(?=["“„«‘'`[])))/i
const thisOne = /^(?:this|it|that|the note|(?:this|(?:the )?(?:open|current)) (?:note|file|page|one))$/i

/** The note a person means, as a path or a name: of `the note “A”`, `[[A#b|c]]` and `A.md` the part that names it. */
export function noteName(words: string, currentNote?: string): string | undefined {
  if (thisOne.test(words.trim())) return currentNote
  const bare = words.trim().replace(before, '')
  const inside = /^(?:the|my|our)\s+(.+?)\s+(?:note|page|file)$/i.exec(bare)?.[1] ?? bare
  const plain = unquoted(inside)
  const link = /^\[\[([^\]|#^]*)[^\]]*\]\]$/.exec(plain)
  const name = (link?.[1] ?? (plain === inside ? withoutStop(plain) : plain)).trim()
  return name === '' ? undefined : name
}

const withoutStop = (text: string): string => text.replace(/[\s.,;:!?…]+$/, '')

/** A path at which a note can be made. */
export const notePathFor = (name: string): string => (/\.md$/i.test(name) ? name : `${name}.md`)

/** As it is shown to the person, so that it cannot be mistaken for a link or more words. */
export const shown = (name: string): string => `“${name.replace(/\s+/g, ' ').slice(0, 100)}”`
