import type { SyntaxNode } from '@lezer/common'
import { linkWords } from '../note/plain-text.js'
import { noteParser } from './note-syntax.js'

/** Inline elements of Markdown. Plain data: drawn as nodes, never as HTML. */
export type MarkdownInline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'emphasis' | 'strong' | 'strike' | 'mark'; inner: MarkdownInline[] }
  /** To an address elsewhere. */
  | { kind: 'link'; target: string; inner: MarkdownInline[] }
  /** To a note of the vault. An embed is a link too: nothing is loaded by being shown. */
  | { kind: 'note-link'; target: string; label: string; embed: boolean }
  /** Never loaded: shown as text with its address. */
  | { kind: 'picture'; target: string; label: string }
  | { kind: 'break' }
  | { kind: 'math'; text: string; isBlock: boolean }
  /** A reference by its id, or the text itself. */
  | { kind: 'footnote'; id: string }
  | { kind: 'footnote-text'; inner: MarkdownInline[] }

export type MarkdownBlock =
  | { kind: 'paragraph'; inner: MarkdownInline[] }
  | { kind: 'heading'; level: number; inner: MarkdownInline[] }
  /** Without a closing line the text may go on. */
  | { kind: 'code'; info: string; text: string }
  | { kind: 'quote'; callout?: Callout; blocks: MarkdownBlock[] }
  | { kind: 'list'; start?: number; items: ListItem[] }
  | { kind: 'table'; head: MarkdownInline[][]; rows: MarkdownInline[][][]; align: readonly Align[] }
  | { kind: 'rule' }
  | { kind: 'math'; text: string }
  | { kind: 'footnote'; id: string; inner: MarkdownInline[] }
  /** HTML and too deeply nested content: its source, as text. */
  | { kind: 'source'; text: string }

export type Align = 'start' | 'center' | 'end'

export interface Callout {
  kind: string
  /** Empty: the kind is the title. */
  title: MarkdownInline[]
  /** It can be folded, and is at first as given. */
  fold?: 'open' | 'closed'
}

interface ListItem {
  /** Set for a task. */
  done?: boolean
  blocks: MarkdownBlock[]
}

const deepestBlock = 30

/** Markdown as data. Nothing in it is obeyed: HTML is text, pictures are words, embeds are links. */
export function readMarkdown(source: string): MarkdownBlock[] {
  return readBlocks(noteParser.parse(source).topNode, source, 0)
}

/** Offsets of top-level blocks, each at the start of its line. */
function blockStarts(source: string): number[] {
  const starts: number[] = []
  for (let child = noteParser.parse(source).topNode.firstChild; child !== null; child = child.nextSibling) {
    const start = source.lastIndexOf('\n', child.from - 1) + 1
    if (starts[starts.length - 1] !== start) starts.push(start)
  }
  return starts
}

function readBlocks(parent: SyntaxNode, source: string, depth: number): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    const block = readBlock(child, source, depth)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

function readBlock(node: SyntaxNode, source: string, depth: number): MarkdownBlock | undefined {
  const { name } = node
  if (name.endsWith('Mark') || name === 'TaskMarker') return undefined
  if (depth > deepestBlock) return { kind: 'source', text: source.slice(node.from, node.to) }
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name)
  if (heading !== null) return { kind: 'heading', level: Number(heading[1]), inner: trimmed(readInline(node, source)) }
  switch (name) {
    case 'Paragraph':
    case 'Task': {
      const inner = trimmed(readInline(node, source))
      // A paragraph of a comment alone.
      return inner.length === 0 && name === 'Paragraph' ? undefined : { kind: 'paragraph', inner }
    }
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
    case 'MathBlock':
      return { kind: 'math', text: source.slice(node.from, node.to).trim().slice(2, -2).trim() }
    case 'CommentBlock':
      return undefined
    case 'FootnoteDefinition': {
      const mark = node.getChild('FootnoteMark')
      const id = textOf(mark, source).slice(2, -2)
      return { kind: 'footnote', id, inner: trimmed(readRange(node, source, mark?.to ?? node.from, node.to, 0)) }
    }
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

/** `> [!note] Title`: the first line of a quote gives the callout's kind; the rest is parsed separately. */
function quoteOf(node: SyntaxNode, source: string, depth: number): MarkdownBlock {
  const [first = '', ...rest] = source
    .slice(node.from, node.to)
    .split('\n')
    .map((line) => line.replace(/^\s*>[ \t]?/, ''))
  const [, kind, fold, title = ''] = /^\[!([\w-]+)(?:\|[^\]]*)?\]([+-])?(.*)$/.exec(first) ?? []
  if (kind === undefined) return { kind: 'quote', blocks: readBlocks(node, source, depth + 1) }
  const body = rest.join('\n')
  const [words] = readMarkdown(title.trim())
  return {
    kind: 'quote',
    callout: {
      kind: kind.toLowerCase(),
      title: words?.kind === 'paragraph' ? words.inner : [],
      ...(fold && { fold: fold === '+' ? ('open' as const) : ('closed' as const) }),
    },
    blocks: readBlocks(noteParser.parse(body).topNode, body, depth + 1),
  }
}

function tableOf(table: SyntaxNode, source: string): MarkdownBlock {
  const cellsOf = (row: SyntaxNode | null) =>
    (row?.getChildren('TableCell') ?? []).map((cell) => trimmed(readInline(cell, source)))
  return {
    kind: 'table',
    head: cellsOf(table.getChild('TableHeader')),
    rows: table.getChildren('TableRow').map(cellsOf),
    align: alignIn(textOf(table.getChild('TableDelimiter'), source)),
  }
}

/** `| :-- | :-: | --: |` */
function alignIn(line: string): Align[] {
  const cells = line
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split('|')
  return cells.map((cell) => {
    const [, left, right] = /^\s*(:?)-+(:?)\s*$/.exec(cell) ?? []
    return right ? (left ? 'center' : 'end') : 'start'
  })
}

/** The lines of code, without the marks and indents of the containing blocks. */
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

const wraps: Record<string, 'emphasis' | 'strong' | 'strike' | 'mark'> = {
  Emphasis: 'emphasis',
  StrongEmphasis: 'strong',
  Strikethrough: 'strike',
  Highlight: 'mark',
}

/** Marks that format the text and are not part of it. */
const silent = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'HighlightMark',
  'LinkMark',
  'CodeMark',
  'QuoteMark',
  'HeaderMark',
  'TaskMarker',
  'LinkTitle',
])

const deepestInline = 40

/** The lines of a node, without the marks of quotes and lists around it. */
function readInline(node: SyntaxNode, source: string, depth = 0): MarkdownInline[] {
  return readRange(node, source, node.from, node.to, depth)
}

function readRange(node: SyntaxNode, source: string, from: number, to: number, depth: number): MarkdownInline[] {
  const found: MarkdownInline[] = []
  let at = from
  const text = (end: number) => {
    if (end > at) add(found, source.slice(at, end))
    at = Math.max(at, end)
  }
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.to <= from || child.from >= to) continue
    text(child.from)
    for (const one of readChild(child, source, depth)) {
      if (one.kind === 'text') add(found, one.text)
      else found.push(one)
    }
    at = child.to
  }
  text(to)
  return found
}

function readChild(node: SyntaxNode, source: string, depth: number): MarkdownInline[] {
  const own = source.slice(node.from, node.to)
  const { name } = node
  if (silent.has(name)) return []
  if (depth > deepestInline) return [{ kind: 'text', text: own }]
  const wrap = wraps[name]
  if (wrap !== undefined) return [{ kind: wrap, inner: readInline(node, source, depth + 1) }]
  switch (name) {
    case 'InlineCode':
      return [{ kind: 'code', text: codeText(own) }]
    case 'Escape':
      return [{ kind: 'text', text: own.slice(1) }]
    case 'Entity':
      return [{ kind: 'text', text: entityText(own) }]
    case 'HardBreak':
      return [{ kind: 'break' }]
    case 'InlineMath': {
      const isBlock = own.startsWith('$$')
      const text = isBlock ? own.slice(2, -2).trim() : own.slice(1, -1)
      return [{ kind: 'math', text: text.replace(/\n\s*>+ ?/g, '\n'), isBlock }]
    }
    case 'NoteComment':
      return []
    case 'FootnoteReference':
      return [{ kind: 'footnote', id: own.slice(2, -1) }]
    case 'FootnoteText':
      return [{ kind: 'footnote-text', inner: readRange(node, source, node.from + 2, node.to - 1, depth + 1) }]
    case 'WikiLink':
    case 'WikiEmbed':
      return [wikilinkOf(own)]
    case 'URL':
    case 'Autolink': {
      const shown = own.replace(/^<|>$/g, '')
      const target = /^[^:/?#]+@/.test(shown) ? `mailto:${shown}` : /^www\./i.test(shown) ? `https://${shown}` : shown
      return [{ kind: 'link', target, inner: [{ kind: 'text', text: shown }] }]
    }
    case 'Link':
    case 'Image':
      return [linkOf(node, source, depth)]
    default:
      // HTML and comments: their source, as text.
      return [{ kind: 'text', text: own }]
  }
}

function linkOf(node: SyntaxNode, source: string, depth: number): MarkdownInline {
  const [open, close] = node.getChildren('LinkMark')
  // An address in the label is a child too; the target comes after the bracket that ends it.
  const address = node.getChildren('URL').find(({ from }) => close !== undefined && from >= close.to)
  const own = source.slice(node.from, node.to)
  // A reference leads where another line says; here it stays the words it is.
  if (address === undefined || open === undefined || close === undefined) return { kind: 'text', text: own }
  const target = decoded(source.slice(address.from, address.to).replace(/^<|>$/g, ''))
  if (node.name === 'Image') return { kind: 'picture', target, label: source.slice(open.to, close.from) }
  const inner = withoutLinks(readRange(node, source, open.to, close.from, depth + 1))
  if (isElsewhere(target)) return { kind: 'link', target, inner }
  return { kind: 'note-link', target: unescaped(target), label: inlineText(inner), embed: false }
}

/** An address in a link's label is no link: it may differ from the target. */
function withoutLinks(inner: readonly MarkdownInline[]): MarkdownInline[] {
  return inner.map((one): MarkdownInline => {
    if (one.kind === 'link' || one.kind === 'note-link') return { kind: 'text', text: inlineText([one]) }
    return 'inner' in one ? { ...one, inner: withoutLinks(one.inner) } : one
  })
}

/** True if a target has a scheme, or could become an address of another machine. */
const isElsewhere = (target: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(target.trim())

function wikilinkOf(own: string): MarkdownInline {
  const embed = own.startsWith('!')
  const [target = '', ...label] = own.slice(embed ? 3 : 2, -2).split('|')
  return {
    kind: 'note-link',
    target: target.trim(),
    label: label.join('|').trim() || linkWords(target.trim()) || target.trim(),
    embed,
  }
}

/** The text without formatting. */
export function inlineText(inner: readonly MarkdownInline[]): string {
  return inner
    .map((one) => {
      if ('text' in one) return one.text
      if ('inner' in one) return inlineText(one.inner)
      if (one.kind === 'break') return ' '
      return one.kind === 'footnote' ? '' : one.label
    })
    .join('')
}

/** The host that an address leads to; of an address without one the address itself. */
export function hostOf(target: string): string {
  const parsed = URL.canParse(target) ? new URL(target) : undefined
  return parsed?.host || target
}

/**
 * True if a link's label is one address with the host of its target. A host somewhere in the label is not enough:
 * `https://example.org.evil.test` contains another one, and a query can contain any.
 */
export function showsItsHost(words: string, target: string): boolean {
  const text = words.trim()
  if (/[\s@\\]/.test(text)) return false
  if (!/^https?:/i.test(target)) return text === target
  const [scheme = 'https:', , rest = ''] = /^(?:(https?:)(\/\/))?(.*)$/i.exec(text)?.slice(1) ?? []
  const host = hostOf(target)
  if (!URL.canParse(`${scheme}//${rest}`) || new URL(`${scheme}//${rest}`).host !== host) return false
  // A name in other letters, which a browser would look up as this one, does not show it.
  return (
    rest
      .replace(/[/?#].*/, '')
      .toLowerCase()
      .replace(/:(?:80|443)$/, '') === host
  )
}

function add(found: MarkdownInline[], text: string): void {
  // The end of a line within a paragraph is a blank; the indent of the next line is none of its text.
  const flowing = text.replace(/[ \t]*\r?\n[ \t]*/g, ' ')
  const last = found[found.length - 1]
  if (last?.kind === 'text') last.text += last.text.endsWith(' ') ? flowing.trimStart() : flowing
  else if (flowing !== '') found.push({ kind: 'text', text: flowing })
}

function codeText(own: string): string {
  const text = own.replace(/^`+|`+$/g, '').replace(/\r?\n/g, ' ')
  return /^ .*[^ ].* $/.test(text) ? text.slice(1, -1) : text
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

function entityText(own: string): string {
  const [, decimal, hex, name] = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));$/i.exec(own) ?? []
  if (name !== undefined) return (Object.hasOwn(named, name) ? named[name] : undefined) ?? own
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : own
}

const decoded = (target: string): string => target.replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(/&#?\w+;/g, entityText)

function unescaped(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** A text that grows: blocks that no further word can change, and the end that is still being written. */
export interface SealedText {
  /** All that has come. */
  text: string
  sealed: readonly string[]
  /** Number of sealed characters. */
  length: number
}

export const emptySealedText: SealedText = { text: '', sealed: [], length: 0 }

/** Extends a parsed text that has grown, parsing only the unsealed part; starts again if it is another text. */
export function sealText(text: string, known: SealedText = emptySealedText): SealedText {
  const { sealed, length } = text.startsWith(known.text) ? known : emptySealedText
  // A line that is not complete can still turn out to belong to the block before it.
  const lines = text.slice(length, text.lastIndexOf('\n') + 1)
  const starts = blockStarts(lines)
  const last = starts.at(-1)
  if (starts.length < 2 || last === undefined) return { text, sealed, length }
  const fresh = piecesAt(lines, starts).slice(0, -1)
  return { text, sealed: [...sealed, ...fresh], length: length + last }
}

/** A text in one piece for each block at its top. */
export const splitBlocks = (source: string): string[] => piecesAt(source, blockStarts(source))

const piecesAt = (source: string, starts: readonly number[]): string[] =>
  starts.map((start, at) => source.slice(at === 0 ? 0 : start, starts[at + 1]))

/** The text that may still change. */
export const liveTail = ({ text, length }: SealedText): string => text.slice(length)
