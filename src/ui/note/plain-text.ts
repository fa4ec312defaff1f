const comment = /%%[\s\S]*?%%|<!--[\s\S]*?-->/g
const picture = /!\[([^[\]\n]*)\]\([^()\n]*\)/g
const link = /\[([^[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g
const wikilink = /!?\[\[([^[\]|\n]*)(?:\|([^[\]\n]*))?\]\]/g
const footnote = /\[\^[^\]\s]+\](?::[ \t]*)?/g
const htmlTag = /<\/?[a-z][\w-]*(?:\s[^<>\n]*)?\/?>/gi
const blockId = /(?:^|\s)\^[\w-]+$/
/** At the start of a line: headings, quotes with the kind of a callout, list items and tasks. */
const lineMark =
  /^[ \t]*(?:>[ \t]?)*(?:\[![\w-]+\][+-]?[ \t]*)?(?:#{1,6}[ \t]+)?(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?/
const tableRule = /^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$/

/** One line of Markdown as a reader sees it: without marks, targets of links, comments and tags of HTML. */
export function plainLine(line: string): string {
  if (tableRule.test(line)) return ''
  const isRow = /^[ \t]*\|.*\|[ \t]*$/.test(line)
  const text = line
    .replace(lineMark, '')
    .replace(comment, ' ')
    .replace(picture, '$1')
    .replace(wikilink, (_, note: string, shown: string | undefined) => shown ?? linkWords(note))
    .replace(link, '$1')
    .replace(footnote, '')
    .replace(htmlTag, ' ')
    .replace(blockId, '')
  return withoutEmphasis(isRow ? text.replace(/^[ \t]*\||\|[ \t]*$/g, '').replace(/[ \t]*\|[ \t]*/g, ' · ') : text)
    .replace(/\s+/g, ' ')
    .trim()
}

/** `Note#Heading` and `Note#^block` as words: "Note › Heading" and "Note". */
export const linkWords = (target: string): string =>
  target
    .replace(/#\^.*$/, '')
    .replaceAll('#', ' › ')
    .replace(/^ › /, '')

/** Marks count in pairs around text; a lone `*` or `_` is text. */
const withoutEmphasis = (text: string): string =>
  text
    .replace(/(\*\*|__|~~|==)(?=\S)(.+?)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}*_])([*_])(?=\S)([^*_]+?)\2(?![\p{L}\p{N}])/gu, '$1$3')
    .replace(/(`+)([^`]+)\1/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')

/** A passage on one line. Headings in it are left out where `heading` is shown beside it. */
export function plainPassage(passage: string, heading: string): string {
  const lines: string[] = []
  for (const line of passage.replace(/\r\n/g, '\n').replace(comment, ' ').split('\n')) {
    if (/^\s*(?:```|~~~|\$\$\s*$)/.test(line)) continue
    const text = plainLine(line)
    if (text === '' || (/^#{1,6}\s/.test(line) && text === plainLine(heading))) continue
    lines.push(/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line) && lines.length > 0 ? `· ${text}` : text)
  }
  return lines.join(' ')
}
