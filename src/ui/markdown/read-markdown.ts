import type { SyntaxNode } from '@lezer/common'
import type { Block, ListItem } from './markdown-tree.js'
import { noteParser } from './parser.js'
import { readInline } from './read-inline.js'

const deepest = 30

/** Markdown as data. Nothing in it is obeyed: HTML is text, pictures are words, embeds are links. */
export function readMarkdown(source: string): Block[] {
  return readBlocks(noteParser.parse(source).topNode, source, 0)
}

/** Where the blocks of the outermost level begin, each at the start of its line. */
export function blockStarts(source: string): number[] {
  const starts: number[] = []
  for (let child = noteParser.parse(source).topNode.firstChild; child !== null; child = child.nextSibling) {
    const start = source.lastIndexOf('\n', child.from - 1) + 1
    if (starts[starts.length - 1] !== start) starts.push(start)
  }
  return starts
}

function readBlocks(parent: SyntaxNode, source: string, depth: number): Block[] {
  const blocks: Block[] = []
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    const block = readBlock(child, source, depth)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

function readBlock(node: SyntaxNode, source: string, depth: number): Block | undefined {
  const { name } = node
  if (name.endsWith('Mark') || name === 'TaskMarker') return undefined
  if (depth > deepest) return { kind: 'source', text: source.slice(node.from, node.to) }
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name)
  if (heading !== null) return { kind: 'heading', level: Number(heading[1]), inner: trimmed(readInline(node, source)) }
  switch (name) {
    case 'Paragraph':
    case 'Task':
      return { kind: 'paragraph', inner: trimmed(readInline(node, source)) }
    case 'FencedCode':
    case 'CodeBlock':
      return { kind: 'code', info: textOf(node.getChild('CodeInfo'), source), text: codeOf(node, source) }
    case 'Blockquote':
      return quoteOf(node, source, depth)
    case 'BulletList':
      return { kind: 'list', items: itemsOf(node, source, depth) }
    case 'OrderedList': {
      const mark = textOf(node.firstChild?.getChild('ListMark') ?? null, source)
      return { kind: 'list', start: Number.parseInt(mark, 10), items: itemsOf(node, source, depth) }
    }
    case 'Table':
      return tableOf(node, source)
    case 'HorizontalRule':
      return { kind: 'rule' }
    default:
      return { kind: 'source', text: source.slice(node.from, node.to) }
  }
}

function itemsOf(list: SyntaxNode, source: string, depth: number): ListItem[] {
  return list.getChildren('ListItem').map((item) => {
    const marker = item.getChild('Task')?.getChild('TaskMarker')
    const blocks = readBlocks(item, source, depth + 1)
    return marker ? { done: /x/i.test(textOf(marker, source)), blocks } : { blocks }
  })
}

/** `> [!note] Title`: the first line of a quote says what it is; the rest is read as if it stood alone. */
function quoteOf(node: SyntaxNode, source: string, depth: number): Block {
  const [first, ...rest] = source
    .slice(node.from, node.to)
    .split('\n')
    .map((line) => line.replace(/^\s*>[ \t]?/, ''))
  const [, kind, title] = /^\[!([\w-]+)\][+-]?(.*)$/.exec(first) ?? []
  if (kind === undefined) return { kind: 'quote', blocks: readBlocks(node, source, depth + 1) }
  const body = rest.join('\n')
  const [words] = readMarkdown(title.trim())
  return {
    kind: 'quote',
    callout: { kind: kind.toLowerCase(), title: words?.kind === 'paragraph' ? words.inner : [] },
    blocks: readBlocks(noteParser.parse(body).topNode, body, depth + 1),
  }
}

function tableOf(table: SyntaxNode, source: string): Block {
  const cellsOf = (row: SyntaxNode | null) =>
    (row?.getChildren('TableCell') ?? []).map((cell) => trimmed(readInline(cell, source)))
  return {
    kind: 'table',
    head: cellsOf(table.getChild('TableHeader')),
    rows: table.getChildren('TableRow').map(cellsOf),
  }
}

/** The lines of code, without the marks and indents of what they stand in. */
function codeOf(node: SyntaxNode, source: string): string {
  return node
    .getChildren('CodeText')
    .map((part) => source.slice(part.from, part.to))
    .join('')
}

const textOf = (node: SyntaxNode | null, source: string): string =>
  node === null ? '' : source.slice(node.from, node.to)

function trimmed(inner: ReturnType<typeof readInline>): ReturnType<typeof readInline> {
  const first = inner[0]
  if (first?.kind === 'text') first.text = first.text.trimStart()
  const last = inner[inner.length - 1]
  if (last?.kind === 'text') last.text = last.text.trimEnd()
  return inner
}
