/** The named groups of a phrase that matched; those of branches that were not taken are undefined. */
export type PhraseGroups = Readonly<Partial<Record<string, string>>>

/**
 * Turns requests as a user would phrase them into patterns. `{note}` is a name on one line, in quotation marks or
 * brackets or bare; `{content}` is any text. Parentheses group, `|` and `?` mean what they mean in patterns.
 */
export function phrases(...forms: string[]): (text: string) => PhraseGroups | undefined {
  const patterns = forms.map(pattern)
  return (text) => {
    for (const each of patterns) {
      const match = each.exec(text)
      if (match !== null) return { ...match.groups }
    }
    return undefined
  }
}

const longestName = 200
const quotedName = [
  String.raw`\[\[[^\]\n]{1,${longestName}}\]\]`,
  ...['""', '“”', '‘’', '«»', "''", '``'].map(
    ([open, close]) => `${open}[^${open}${close}\\n]{1,${longestName}}${close}`,
  ),
  `„[^“”\\n]{1,${longestName}}[“”]`,
].join('|')
// A name that begins with a quotation mark ends with one, whatever words are in between.
const anyName = `${quotedName}|(?!["“„«\`]|\\[\\[)[^\\n]{1,${longestName}}?`
// Greedy, so that the last "to" of "add x to y" counts. Bounded, so that no text is slow.
const anyText = String.raw`[\s\S]{1,200000}`

function pattern(form: string): RegExp {
  const source = form
    .replace(/([\w)}(])'(?=s\b)/g, "$1['’]")
    .replace(/\((?!\?)/g, '(?:')
    .replace(/ /g, '\\s{1,9}')
    .replace(
      /\{([a-z]\w*)\}/gi,
      (_all, group: string) => `(?<${group}>${group === 'content' || group === 'task' ? anyText : anyName})`,
    )
  return new RegExp(`^\\s*${source}[\\s.!?]*$`, 'iu')
}

/** The note a user means, as a path or a name: the part of `the note “A”`, `[[A#b|c]]` and `A.md` that names it. */
export function namedNote(words: string | undefined, currentNote?: string): string | undefined {
  if (words === undefined) return undefined
  if (thisNote.test(words.trim())) return currentNote
  const bare = words.trim().replace(noteWord, '')
  const inside = /^(?:the|my|our)\s+(.+?)\s+(?:note|page|file)$/i.exec(bare)?.[1] ?? bare
  const plain = unquoted(inside)
  const link = /^\[\[([^\]|#^]*)[^\]]*\]\]$/.exec(plain)
  const name = (link?.[1] ?? (plain === inside ? plain.replace(/[\s.,;:!?…]+$/, '') : plain)).trim()
  return name === '' ? undefined : name
}

const noteWord =
  /^(?:(?:the|my|our)\s+(?:note|file|page)\s+(?:(?:called|named|titled)\s+)?|(?:note|file|page)\s+(?:(?:called|named|titled)\s+|(?=["“„«‘'`[])))/i
const thisNote = /^(?:this|it|that|the note|(?:this|(?:the )?(?:open|current)) (?:note|file|page|one))$/i

/** The words without the quotation marks around them. */
export function unquoted(words = ''): string {
  const text = words.trim()
  const pair = quotationMarks.find(([open, close]) => text.length > 2 && text.startsWith(open) && text.endsWith(close))
  return pair === undefined ? text : text.slice(1, -1).trim()
}

const quotationMarks: readonly [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['‘', '’'],
  ['«', '»'],
  ["'", "'"],
  ['`', '`'],
]

/** True if the user has marked where a name begins and ends. */
export function isMarked(words = ''): boolean {
  const text = words.trim()
  return unquoted(text) !== text || /^\[\[.+\]\]$/.test(text) || /\.md$/i.test(text)
}

/** A path at which a note can be created. */
export const notePathFor = (name: string): string => (/\.md$/i.test(name) ? name : `${name}.md`)

/** A name in quotation marks, on one line, for a message to the user. */
export const quotedForUser = (name: string): string => `“${name.replace(/\s+/g, ' ').slice(0, 100)}”`

/** The tags in "#a, b and c"; undefined when one of them cannot be a tag. */
export function tagsIn(words = ''): string[] | undefined {
  const tags = unquoted(words)
    .split(/\s*(?:,|\s(?:and|or|und|et|y)\s|&)\s*|\s+(?=#)/i)
    .map((tag) =>
      unquoted(tag)
        .replace(/^#/, '')
        .replace(/[.!?]+$/, ''),
    )
    .filter((tag) => tag !== '')
  const isTag = (tag: string) => /^[^\s#.,;:!?"'“”„«»()[\]{}<>\\|]{1,100}$/u.test(tag) && !/^\d+$/.test(tag)
  return tags.length > 0 && tags.every(isTag) ? [...new Set(tags)] : undefined
}
