export interface VisibleText {
  text: string
  /** Number of characters that would have been invisible. */
  hidden: number
}

/**
 * Makes characters visible that a program reads and a user does not see: invisible characters, those that change the
 * direction or end a line, and unusual blanks are written as `⟦U+200B×3⟧`. Legitimate uses in a script or an emoji stay.
 * Brackets in the text that look like such a mark are marked themselves, so that the result is unambiguous.
 */
export function visibleText(text: string): VisibleText {
  let hidden = 0
  const shown = replaceHidden(text, (characters) => {
    if (characters[0] !== '⟦') hidden += characters.length
    return marked(characters)
  })
  return { text: shown, hidden }
}

/** The original of a visible text, to find text that was read with marks in its source. */
export function originalText(shown: string): string {
  return shown.replace(hiddenMark, (whole, codes: string) => {
    const runs = codes.split(' ').map((run) => run.slice(2).split('×'))
    const isOurs = runs.every(
      ([code = '', times = '1']) => Number.parseInt(code, 16) <= 0x10ffff && Number(times) <= maxRepeat,
    )
    if (!isOurs) return whole
    return runs
      .map(([code = '', times = '1']) => String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(times)))
      .join('')
  })
}

const hiddenMark = /⟦(U\+[0-9A-F]{4,6}(?:×\d{1,7})?(?: U\+[0-9A-F]{4,6}(?:×\d{1,7})?)*)⟧/g
/** A mark can be forged, so its count is limited: it must not allocate more memory than a note. */
const maxRepeat = 1_000_000

/** JSON with hidden characters as escapes, which are visible and mean the same. */
export function visibleJson(json: string): string {
  return replaceHidden(json, (characters) =>
    characters
      .map((character) => (character === '⟦' ? character : character.split('').map(unicodeEscape).join('')))
      .join(''),
  )
}

const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Replaces each run of hidden characters, and each bracket that looks like the start of a mark. */
function replaceHidden(text: string, write: (characters: string[]) => string): string {
  if (!mayHide.test(text)) return text
  return text.replace(
    suspectPattern,
    (found: string, kept: string | undefined, blanks: string | undefined, at: number) => {
      if (kept !== undefined || (found === '\uFEFF' && at === 0)) return found
      if (blanks === undefined) return write([...found])
      return isPlainGap(blanks) ? found : found.replace(/[^ ]+/g, (run) => write([...run]))
    },
  )
}

/** Writes a mark: repeated characters are counted, different ones are listed. */
function marked(characters: readonly string[]): string {
  const codes: { code: string; count: number }[] = []
  for (const character of characters) {
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    const last = codes[codes.length - 1]
    if (last?.code === code) last.count++
    else codes.push({ code, count: 1 })
  }
  return `⟦${codes.map(({ code, count }) => (count === 1 ? code : `${code}×${count}`)).join(' ')}⟧`
}

/** True for a single typographic blank, as in French before a colon, or the indent of a Chinese paragraph. */
function isPlainGap(blanks: string): boolean {
  return blanks.length === 1 || (/^\u3000+$/.test(blanks) && blanks.length === 2)
}

const blankCharacters = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000'
const unseenCharacters = `\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb\\u2028\\u2029\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\p{Surrogate}`

// Scripts in which joiners and non-joiners change the shape of letters.
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')
const skinTone = '[\\u{1f3fb}-\\u{1f3ff}]?'
const pictograph = `\\p{Extended_Pictographic}${skinTone}`
const variants = '\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}'

/** Sequences in which such characters are legitimate. */
const legitimateUses = [
  '\\r\\n',
  // The flags of England, Scotland and Wales.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  `${pictograph}[\\ufe0e\\ufe0f]?(?:\\u200d${pictograph}\\ufe0f?)*(?![${variants}])`,
  '[0-9#*]\\ufe0f\\u20e3',
  `\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}](?![${variants}])`,
  '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f](?![\\u180b-\\u180f])',
  `[${joiningScripts}][\\u200c\\u200d](?=[${joiningScripts}])`,
].join('|')

const mayHide = new RegExp(`[${unseenCharacters}${blankCharacters}]|⟦U\\+[0-9A-F]`, 'u')
const suspectPattern = new RegExp(
  `(${legitimateUses})|( *[${blankCharacters}][ ${blankCharacters}]*)|[${unseenCharacters}]+|⟦(?=U\\+[0-9A-F])`,
  'gu',
)

/** Makes blanks visible that could push words out of sight: runs of blanks as dots, empty lines as their number. */
export function visibleBlanks(text: string): string {
  return text
    .replace(/\t/g, '→')
    .replace(/[ \u00a0]{2,}/g, (blanks) =>
      blanks.length > 20 ? `⟦${blanks.length} blanks⟧` : '·'.repeat(blanks.length),
    )
    .replace(/\n(?:[·→ ]*\n){2,}/g, (lines) => `\n⟦${lines.split('\n').length - 2} empty lines⟧\n`)
}
