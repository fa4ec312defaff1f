import type { Span } from '../../../markdown/index.js'
import type { LinkReading } from '../../../vault/index.js'
import { type PlacedLink, type Quote, quoteForYaml } from './note-links.js'

/** A path as it must stand in the text where the link's old path stands, encoded in the author's manner. */
export function encodeTarget(path: string, link: PlacedLink, span: Span, text: string): string {
  const raw = text.slice(span.start, span.end)
  const encoded = link.syntax === 'wiki' ? path : encodeDestination(path, raw, link.angled ?? false)
  return link.kind === 'frontmatter' ? quoteForYaml(encoded, quoteAround(text, link.start)) : encoded
}

/** Characters that a link of this kind cannot hold in its path: a name with them could not be linked to. */
export function unlinkable(path: string, link: PlacedLink, reading: LinkReading): string[] {
  // Obsidian takes `%23` for the beginning of a heading, too.
  const forbidden = link.syntax === 'wiki' ? /[#^[\]|]/g : reading === 'markdown' ? /[^\s\S]/g : /#/g
  // What the author has written once already is read back by Obsidian or was never a link.
  return [...new Set(path.match(forbidden))].filter((character) => !link.target.includes(character))
}

/** Obsidian writes only spaces encoded; other programs encode every letter that is not ASCII. */
function encodeDestination(path: string, raw: string, angled: boolean): string {
  const encodesLetters = /%[89a-f][0-9a-f]/i.test(raw)
  const encodesSpaces = !angled || raw.includes('%20')
  const keepsParentheses = angled || (/[()]/.test(raw) && isBalanced(path))
  return (
    path
      // These would end the destination, part table cells, or open code or math before it.
      .replace(/[%#<>|[\]`$\\]/g, percent)
      // And this would begin a query, unless it is a letter of a name to whoever reads the link.
      .replace(/\?/g, (mark) => (raw.includes('?') ? mark : percent(mark)))
      // A name like `a&amp;b` would be read as `a&b`.
      .replace(/&(?=#?\w+;)/g, '%26')
      .replace(/^[a-z][a-z0-9+.-]*:/i, (scheme) => scheme.replace(':', '%3A'))
      .replace(/[()]/g, (character) => (keepsParentheses ? character : percent(character)))
      .replace(/\s/g, (space) => (encodesSpaces || space !== ' ' ? percent(space) : space))
      .replace(/[^\0-\x7f]+/g, (letters) => (encodesLetters ? percent(letters) : letters))
  )
}

function percent(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

function isBalanced(path: string): boolean {
  let open = 0
  for (const character of path) {
    if (character === '(') open++
    if (character === ')' && --open < 0) return false
  }
  return open === 0
}

/** The YAML quotes that the text at this place stands in. */
function quoteAround(text: string, at: number): Quote {
  let quote: Quote = ''
  for (let i = text.lastIndexOf('\n', at - 1) + 1; i < at; i++) {
    const character = text[i]
    const isEscape = (quote === '"' && character === '\\') || (quote === "'" && text.startsWith("''", i))
    if (isEscape) i++
    else if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'") && /[\s:,[{-]/.test(text[i - 1] ?? ' ')) {
      quote = character
    }
  }
  return quote
}
