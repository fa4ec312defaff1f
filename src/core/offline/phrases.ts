import { languages } from './languages/languages.js'

/** The named groups of a phrase that matched; those of branches that were not taken are undefined. */
export type PhraseGroups = Readonly<Partial<Record<string, string>>>

interface FormSettings {
  /** A space in a form may be missing. */
  isUnspaced?: true | undefined
}

/**
 * Turns requests as a user would phrase them into patterns. `{note}` is a name on one line, in quotation marks or
 * brackets or bare; `{content}` is any text. Parentheses group, `|` and `?` mean what they mean in patterns. Accents
 * may be left out. Yields a match for each form that fits, in their order.
 */
export function phrases(
  forms: readonly string[],
  { isUnspaced }: FormSettings = {},
): (text: string) => Iterable<PhraseGroups> {
  // Compiled for the first request in the language.
  let patterns: RegExp[] | undefined
  return function* matches(text) {
    patterns ??= forms.map((form) => pattern(form, isUnspaced === true))
    const composed = text.normalize('NFC')
    for (const each of patterns) {
      const match = each.exec(composed)
      if (match !== null) yield { ...match.groups }
    }
  }
}

const longestName = 200
const quotedName = [
  String.raw`\[\[[^\]\n]{1,${longestName}}\]\]`,
  ...['""', '“”', '‘’', '«»', "''", '``', '「」', '『』', '《》'].map(
    ([open, close]) => `${open}[^${open}${close}\\n]{1,${longestName}}${close}`,
  ),
  `„[^“”\\n]{1,${longestName}}[“”]`,
].join('|')
// A name that begins with a quotation mark ends with one, whatever words are in between.
const anyName = `${quotedName}|(?!["“„«「『《\`]|\\[\\[)[^\\n]{1,${longestName}}?`
// Greedy, so that the last "to" of "add x to y" counts. Bounded, so that no text is slow.
const anyText = String.raw`[\s\S]{1,200000}`

function pattern(form: string, isUnspaced: boolean): RegExp {
  const source = form
    .replace(/'/g, "['’]")
    .replace(/\((?!\?)/g, '(?:')
    .replace(/ /g, isUnspaced ? '\\s{0,9}' : '\\s{1,9}')
    .replace(/[à-öø-ÿ]/g, accented)
    .replace(
      /\{([a-z]\w*)\}/gi,
      (_all, group: string) => `(?<${group}>${group === 'content' || group === 'task' ? anyText : anyName})`,
    )
  return new RegExp(`^[\\s¿¡]*${source}[\\s.!?。！？]*$`, 'iu')
}

/** A letter with or without its accent, also as Germans write it without umlauts. */
function accented(letter: string): string {
  const [bare = letter] = letter.normalize('NFD')
  return /[äöü]/.test(letter) ? `(?:${letter}|${bare}e?)` : letter === 'ß' ? '(?:ß|ss)' : `(?:${letter}|${bare})`
}

/** The note a user means, as a path or a name: the part of `the note “A”`, `[[A#b|c]]` and `A.md` that names it. */
export function namedNote(words: string | undefined, currentNote?: string): string | undefined {
  if (words === undefined) return undefined
  if (thisNote().test(words.trim())) return currentNote
  const bare = words.trim().replace(noteWord, '')
  const inside = /^(?:the|my|our)\s+(.+?)\s+(?:note|page|file)$/i.exec(bare)?.[1] ?? bare
  const plain = unquoted(inside)
  const link = /^\[\[([^\]|#^]*)[^\]]*\]\]$/.exec(plain)
  const name = (link?.[1] ?? (plain === inside ? plain.replace(/[\s.,;:!?…]+$/, '') : plain)).trim()
  return name === '' ? undefined : name
}

const noteWord =
  /^(?:(?:the|my|our)\s+(?:note|file|page)\s+(?:(?:called|named|titled)\s+)?|(?:note|file|page)\s+(?:(?:called|named|titled)\s+|(?=["“„«‘'`[])))/i

let thisNotePattern: RegExp | undefined

function thisNote(): RegExp {
  thisNotePattern ??= new RegExp(`^(?:${languages.map((language) => language.thisNote).join('|')})$`, 'iu')
  return thisNotePattern
}

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
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
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
    .split(/\s*(?:,|\s(?:and|or|und|oder|et|ou|y|o|e)\s|、|&)\s*|\s+(?=#)/i)
    .map((tag) =>
      unquoted(tag)
        .replace(/^#/, '')
        .replace(/[.!?]+$/, ''),
    )
    .filter((tag) => tag !== '')
  const isTag = (tag: string) => /^[^\s#.,;:!?"'“”„«»()[\]{}<>\\|]{1,100}$/u.test(tag) && !/^\d+$/.test(tag)
  return tags.length > 0 && tags.every(isTag) ? [...new Set(tags)] : undefined
}
