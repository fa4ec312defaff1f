export interface VisibleText {
  text: string
  /** How many characters would not have been seen. */
  hidden: number
}

/**
 * Text in which nothing is hidden that a program reads and a person does not see: characters without a shape of their
 * own, those that turn or end lines, and blanks that are none are written as `⟦U+200B×3⟧`. What they do for a script or
 * an emoji stays as it is. A text that itself has such a mark in it is told apart, so that what is shown has one meaning.
 */
export function visibleText(text: string): VisibleText {
  let hidden = 0
  const shown = replaceHidden(text, (characters) => {
    if (characters[0] !== '⟦') hidden += characters.length
    return marked(characters)
  })
  return { text: shown, hidden }
}

/** The text that a visible one stands for, so that what was read with its marks can be found where it has none. */
export function meantText(shown: string): string {
  return shown.replace(mark, (whole, codes: string) => {
    const runs = codes.split(' ').map((run) => run.slice(2).split('×'))
    const isOurs = runs.every(
      ([code, times = '1']) => Number.parseInt(code, 16) <= 0x10ffff && Number(times) <= mostMeant,
    )
    if (!isOurs) return whole
    return runs
      .map(([code, times = '1']) => String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(times)))
      .join('')
  })
}

const mark = /⟦(U\+[0-9A-F]{4,6}(?:×\d{1,7})?(?: U\+[0-9A-F]{4,6}(?:×\d{1,7})?)*)⟧/g
/** Anyone can write a mark; nobody shall be able to ask for more memory than a note may take. */
const mostMeant = 1_000_000

/** JSON in which nothing is hidden: in a string an escape is seen, and still means the same. */
export function visibleJson(json: string): string {
  return replaceHidden(json, (characters) =>
    characters
      .map((character) => (character === '⟦' ? character : character.split('').map(unicodeEscape).join('')))
      .join(''),
  )
}

const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Hands over each run of hidden characters, and each bracket that would be taken for the beginning of a mark. */
function replaceHidden(text: string, write: (characters: string[]) => string): string {
  if (!mayHide.test(text)) return text
  return text.replace(doubtful, (found: string, kept: string | undefined, blanks: string | undefined, at: number) => {
    if (kept !== undefined || (found === '\uFEFF' && at === 0)) return found
    if (blanks === undefined) return write([...found])
    return isPlainGap(blanks) ? found : found.replace(/[^ ]+/g, (run) => write([...run]))
  })
}

/** Runs of one character are counted, others follow each other. */
function marked(characters: readonly string[]): string {
  const codes: { code: string; count: number }[] = []
  for (const character of characters) {
    const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    const last = codes[codes.length - 1]
    if (last?.code === code) last.count++
    else codes.push({ code, count: 1 })
  }
  return `⟦${codes.map(({ code, count }) => (count === 1 ? code : `${code}×${count}`)).join(' ')}⟧`
}

/** One blank of print, as French has it before a colon, or the indent of a Chinese paragraph. */
function isPlainGap(blanks: string): boolean {
  return blanks.length === 1 || (/^\u3000+$/.test(blanks) && blanks.length === 2)
}

const blank = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000'
const unseen = `\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb\\u2028\\u2029\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\p{Surrogate}`

// Scripts in which a joiner, or what keeps letters apart, changes how letters are written.
const joined = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')
const tone = '[\\u{1f3fb}-\\u{1f3ff}]?'
const pictograph = `\\p{Extended_Pictographic}${tone}`
const variants = '\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}'

/** Where such characters belong. */
const atHome = [
  '\\r\\n',
  // The flags of England, Scotland and Wales.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  `${pictograph}[\\ufe0e\\ufe0f]?(?:\\u200d${pictograph}\\ufe0f?)*(?![${variants}])`,
  '[0-9#*]\\ufe0f\\u20e3',
  `\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}](?![${variants}])`,
  '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f](?![\\u180b-\\u180f])',
  `[${joined}][\\u200c\\u200d](?=[${joined}])`,
].join('|')

const mayHide = new RegExp(`[${unseen}${blank}]|⟦U\\+[0-9A-F]`, 'u')
const doubtful = new RegExp(`(${atHome})|( *[${blank}][ ${blank}]*)|[${unseen}]+|⟦(?=U\\+[0-9A-F])`, 'gu')
