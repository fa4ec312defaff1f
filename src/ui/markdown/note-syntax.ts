import { type BlockContext, GFM, type InlineContext, type Line, type MarkdownConfig, parser } from '@lezer/markdown'

/** Longer than any name of a note with its heading and label. */
const longestLink = 1000

const wikilinks: MarkdownConfig = {
  defineNodes: ['WikiLink', 'WikiEmbed'],
  parseInline: [
    {
      name: 'WikiLink',
      before: 'Link',
      parse: (context, next, at) => (next === 91 ? wikilink(context, at, at) : -1),
    },
    {
      name: 'WikiEmbed',
      before: 'Image',
      parse: (context, next, at) => (next === 33 && context.char(at + 1) === 91 ? wikilink(context, at, at + 1) : -1),
    },
  ],
}

/** `[[Note#Heading|label]]` on one line; `open` is where its brackets begin. */
function wikilink(context: InlineContext, from: number, open: number): number {
  if (context.char(open + 1) !== 91) return -1
  const text = context.slice(open, Math.min(context.end, open + longestLink))
  const [whole] = /^\[\[[^\]\n[]+\]\]/.exec(text) ?? []
  if (whole === undefined) return -1
  return context.addElement(context.elt(from === open ? 'WikiLink' : 'WikiEmbed', from, open + whole.length))
}

const isWord = (character: number): boolean => character >= 0 && character !== 32 && character !== 10

const highlight = { resolve: 'Highlight', mark: 'HighlightMark' }

/** `==marked==`, as Obsidian has it. */
const highlights: MarkdownConfig = {
  defineNodes: ['Highlight', 'HighlightMark'],
  parseInline: [
    {
      name: 'Highlight',
      after: 'Emphasis',
      parse(context, next, at) {
        if (next !== 61 || context.char(at + 1) !== 61 || context.char(at + 2) === 61) return -1
        const opens = isWord(context.char(at + 2))
        const closes = at > context.offset && isWord(context.char(at - 1))
        return context.addDelimiter(highlight, at, at + 2, opens, closes)
      },
    },
  ],
}

/** Longer formulas are text. */
const longestMath = 2000

/**
 * `$…$` and `$$…$$`. As in Obsidian, no blank follows the opening `$` or precedes the closing one, and no digit follows
 * the closing one: "$5 and $6" is text.
 */
const math: MarkdownConfig = {
  defineNodes: ['InlineMath', { name: 'MathBlock', block: true }],
  parseInline: [
    {
      name: 'InlineMath',
      before: 'Escape',
      parse(context, next, at) {
        if (next !== 36) return -1
        const text = context.slice(at, Math.min(context.end, at + longestMath))
        const [whole] = /^\$\$(?!\$)(?:\\[\s\S]|[^$\\])+\$\$/.exec(text) ?? inlineMath.exec(text) ?? []
        if (whole === undefined) return -1
        return context.addElement(context.elt('InlineMath', at, at + whole.length))
      },
    },
  ],
  parseBlock: [
    {
      name: 'MathBlock',
      before: 'FencedCode',
      parse(context, line) {
        if (!line.text.slice(line.pos).startsWith('$$')) return false
        return closedBlock(context, line, 'MathBlock', '$$')
      },
      endLeaf: (_context, line) => line.text.slice(line.pos).trim() === '$$',
    },
  ],
}

const inlineMath = /^\$(?![\s$])(?:\\[^\n]|[^$\\\n])*?(?:\\[^\s]|[^\s$\\])\$(?!\d)/

/** `%% … %%` and names of blocks: not part of the text. */
const comments: MarkdownConfig = {
  defineNodes: ['NoteComment', { name: 'CommentBlock', block: true }],
  parseInline: [
    {
      name: 'NoteComment',
      before: 'Escape',
      parse(context, next, at) {
        if (next !== 37 || context.char(at + 1) !== 37) return -1
        const end = context.slice(at + 2, context.end).indexOf('%%')
        return end === -1 ? -1 : context.addElement(context.elt('NoteComment', at, at + end + 4))
      },
    },
    {
      // `^name` at the end of a block names it for links, and is not part of the text either.
      name: 'BlockName',
      parse(context, next, at) {
        if (next !== 94 || (at > context.offset && !/\s/.test(String.fromCharCode(context.char(at - 1))))) return -1
        if (!/^\^[A-Za-z\d-]+\s*$/.test(context.slice(at, context.end))) return -1
        return context.addElement(context.elt('NoteComment', at, context.end))
      },
    },
  ],
  parseBlock: [
    {
      name: 'CommentBlock',
      before: 'FencedCode',
      parse(context, line) {
        const own = line.text.slice(line.pos)
        // A comment and text on one line are a paragraph.
        if (!own.startsWith('%%') || (/^%%.+%%/.test(own) && !/^%%.*%%\s*$/.test(own))) return false
        return closedBlock(context, line, 'CommentBlock', '%%')
      },
    },
  ],
}

/**
 * A block from its mark to the line that ends with the same mark. Without that line before the next empty line it is
 * text, which `OpenBlock` says.
 */
function closedBlock(context: BlockContext, line: Line, name: string, mark: string): boolean {
  // In a list or a quote its lines have marks of their own: there it is read as a part of a paragraph.
  if (context.parentType().name !== 'Document') return false
  const from = context.lineStart + line.pos
  let own = line.text.slice(line.pos).trimEnd()
  let isClosed = own.length >= 2 * mark.length && own.endsWith(mark)
  let to = context.lineStart + line.text.length
  while (!isClosed && context.nextLine()) {
    own = line.text.slice(line.pos).trimEnd()
    if (own === '') {
      context.addElement(context.elt('OpenBlock', from, to))
      return true
    }
    to = context.lineStart + line.text.length
    isClosed = own.endsWith(mark)
  }
  if (isClosed) context.nextLine()
  context.addElement(context.elt(isClosed ? name : 'OpenBlock', from, to))
  return true
}

/** `[^1]`, `[^1]: its text` and `^[text in place]`. */
const footnotes: MarkdownConfig = {
  defineNodes: [
    'FootnoteReference',
    'FootnoteText',
    'FootnoteMark',
    { name: 'FootnoteDefinition', block: true },
    { name: 'OpenBlock', block: true },
  ],
  parseInline: [
    {
      name: 'FootnoteReference',
      before: 'Link',
      parse(context, next, at) {
        if (next !== 91 || context.char(at + 1) !== 94) return -1
        const [whole] = /^\[\^[^\s\]]{1,100}\]/.exec(context.slice(at, Math.min(context.end, at + 110))) ?? []
        if (whole === undefined) return -1
        return context.addElement(context.elt('FootnoteReference', at, at + whole.length))
      },
    },
    {
      name: 'FootnoteText',
      before: 'Link',
      parse(context, next, at) {
        if (next !== 94 || context.char(at + 1) !== 91) return -1
        const [whole] = /^\^\[[^[\]\n]{1,1000}\]/.exec(context.slice(at, Math.min(context.end, at + 1010))) ?? []
        if (whole === undefined) return -1
        const inner = context.parser.parseInline(whole.slice(2, -1), at + 2)
        return context.addElement(context.elt('FootnoteText', at, at + whole.length, inner))
      },
    },
  ],
  parseBlock: [
    {
      name: 'FootnoteDefinition',
      before: 'LinkReference',
      parse(context, line) {
        const own = line.text.slice(line.pos)
        const [mark] = footnoteMark.exec(own) ?? []
        if (mark === undefined) return false
        const from = context.lineStart + line.pos
        const inner = context.parser.parseInline(own.slice(mark.length), from + mark.length)
        const marked = context.elt('FootnoteMark', from, from + mark.trimEnd().length)
        context.addElement(context.elt('FootnoteDefinition', from, from + own.length, [marked, ...inner]))
        context.nextLine()
        return true
      },
      endLeaf: (_context, line) => footnoteMark.test(line.text.slice(line.pos)),
    },
  ],
}

const footnoteMark = /^\[\^[^\s\]]{1,100}\]:[ \t]*/

/** Markdown as people write it in Obsidian: GitHub's, with wikilinks, highlights, math, comments and footnotes. */
export const noteParser = parser.configure([GFM, wikilinks, highlights, math, comments, footnotes])
