import type { SyntaxNode } from '@lezer/common'
import type { Inline } from './markdown-tree.js'

const wraps: Record<string, 'emphasis' | 'strong' | 'strike' | 'mark'> = {
  Emphasis: 'emphasis',
  StrongEmphasis: 'strong',
  Strikethrough: 'strike',
  Highlight: 'mark',
}

/** Marks that shape the text and are not part of it. */
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

const deepest = 40

/** The lines of a node, without the marks of quotes and lists around it. */
export function readInline(node: SyntaxNode, source: string, depth = 0): Inline[] {
  return readRange(node, source, node.from, node.to, depth)
}

function readRange(node: SyntaxNode, source: string, from: number, to: number, depth: number): Inline[] {
  const found: Inline[] = []
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

function readChild(node: SyntaxNode, source: string, depth: number): Inline[] {
  const own = source.slice(node.from, node.to)
  const { name } = node
  if (silent.has(name)) return []
  if (depth > deepest) return [{ kind: 'text', text: own }]
  if (name in wraps) return [{ kind: wraps[name], inner: readInline(node, source, depth + 1) }]
  switch (name) {
    case 'InlineCode':
      return [{ kind: 'code', text: codeText(own) }]
    case 'Escape':
      return [{ kind: 'text', text: own.slice(1) }]
    case 'Entity':
      return [{ kind: 'text', text: entityText(own) }]
    case 'HardBreak':
      return [{ kind: 'break' }]
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
      // HTML and comments: what was written, as text.
      return [{ kind: 'text', text: own }]
  }
}

function linkOf(node: SyntaxNode, source: string, depth: number): Inline {
  const address = node.getChild('URL')
  const marks = node.getChildren('LinkMark')
  const own = source.slice(node.from, node.to)
  // A reference leads where another line says; here it stays the words it is.
  if (address === null || marks.length < 2) return { kind: 'text', text: own }
  const target = decoded(source.slice(address.from, address.to).replace(/^<|>$/g, ''))
  if (node.name === 'Image') return { kind: 'picture', target, label: source.slice(marks[0].to, marks[1].from) }
  const inner = withoutLinks(readRange(node, source, marks[0].to, marks[1].from, depth + 1))
  if (isElsewhere(target)) return { kind: 'link', target, inner }
  return { kind: 'note-link', target: unescaped(target), label: plainText(inner), embed: false }
}

/** An address in the words of a link is no link of its own: it may say another place than where they lead. */
function withoutLinks(inner: readonly Inline[]): Inline[] {
  return inner.map((one): Inline => {
    if (one.kind === 'link' || one.kind === 'note-link') return { kind: 'text', text: plainText([one]) }
    return 'inner' in one ? { ...one, inner: withoutLinks(one.inner) } : one
  })
}

/** Whether a target has a scheme, or could become an address of another machine. */
const isElsewhere = (target: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(target.trim())

function wikilinkOf(own: string): Inline {
  const embed = own.startsWith('!')
  const [target, ...label] = own.slice(embed ? 3 : 2, -2).split('|')
  return { kind: 'note-link', target: target.trim(), label: label.join('|').trim() || target.trim(), embed }
}

/** The words of it, without their shape. */
export function plainText(inner: readonly Inline[]): string {
  return inner
    .map((one) => {
      if ('text' in one) return one.text
      if ('inner' in one) return plainText(one.inner)
      return one.kind === 'break' ? ' ' : one.label
    })
    .join('')
}

function add(found: Inline[], text: string): void {
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
  if (name !== undefined) return Object.hasOwn(named, name) ? named[name] : own
  const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
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
