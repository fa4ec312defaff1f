import { GFM, type InlineContext, type MarkdownConfig, parser } from '@lezer/markdown'

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
        const isBlank = (character: number) => character === 32 || character === 10 || character < 0
        const opens = !isBlank(context.char(at + 2))
        const closes = at > context.offset && !isBlank(context.char(at - 1))
        return context.addDelimiter(highlight, at, at + 2, opens, closes)
      },
    },
  ],
}

/** Markdown as people write it in notes: GitHub's, with wikilinks and highlights. */
export const noteParser = parser.configure([GFM, wikilinks, highlights])
