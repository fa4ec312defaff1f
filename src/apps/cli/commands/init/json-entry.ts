import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { Failure } from '../../../../core/errors.js'

/** The text with our entry in it. Comments, order, blanks and everything else stay byte for byte. */
export function withJsonEntry(text: string, place: readonly string[], entry: Record<string, unknown>): string {
  const from = text.trim() === '' ? '{}\n' : text
  const known = nodeAt(from, place)
  if (known === undefined) return inserted(from, place, entry)
  // What the person added to the entry is theirs.
  return Object.entries(entry).reduce((now, [name, value]) => {
    const own = nodeAt(now, [...place, name])
    if (own === undefined) return inserted(now, [...place, name], value)
    const isSame = JSON.stringify(writtenValue(now, own)) === JSON.stringify(value)
    return isSame ? now : spliced(now, own.offset, own.offset + own.length, JSON.stringify(value))
  }, from)
}

export function withoutJsonEntry(text: string, place: readonly string[]): string {
  const node = text.trim() === '' ? undefined : nodeAt(text, place)
  const property = node?.parent
  const siblings = property?.parent?.children ?? []
  if (property === undefined) return text
  const at = siblings.indexOf(property)
  const end = property.offset + property.length
  // One comma goes with it: the one before, or of the first the one behind.
  const before = at > 0 ? commaIn(text, siblings[at - 1].offset + siblings[at - 1].length, property.offset) : undefined
  const behind = at === 0 && siblings.length > 1 ? commaIn(text, end, siblings[1].offset) : undefined
  const lineStart = text.slice(0, property.offset).search(/[ \t]*$/)
  const isOwnLine = text[lineStart - 1] === '\n'
  const start = isOwnLine ? lineStart - (text[lineStart - 2] === '\r' ? 2 : 1) : property.offset
  const without = behind === undefined ? text.slice(end) : text.slice(end, behind) + text.slice(behind + 1)
  const head = text.slice(0, start)
  return (before === undefined ? head : spliced(head, before, before + 1, '')) + without
}

/** Puts a value at the end of the object it belongs to; objects on the way there that are missing are made. */
function inserted(text: string, place: readonly string[], value: unknown): string {
  let depth = place.length - 1
  while (depth > 0 && nodeAt(text, place.slice(0, depth)) === undefined) depth--
  const parent = nodeAt(text, place.slice(0, depth))!
  const nested = place.slice(depth + 1).reduceRight((inner, name) => ({ [name]: inner }), value)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const step = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const outer = lineIndent(text, parent.offset)
  const written = `${JSON.stringify(place[depth])}: ${JSON.stringify(nested, null, step)}`
  const lines = `${end}${outer}${step}${written.replaceAll('\n', `${end}${outer}${step}`)}`
  const last = parent.children?.at(-1)
  if (last !== undefined) return spliced(text, last.offset + last.length, last.offset + last.length, `,${lines}`)
  const inside = parent.offset + 1
  const isBare = /^\s*\}/.test(text.slice(inside))
  const close = inside + text.slice(inside).search(/\S/)
  return spliced(text, inside, isBare ? close : inside, isBare ? `${lines}${end}${outer}` : lines)
}

/** Fails where the file cannot be read as what it should be: then nothing is written. */
function nodeAt(text: string, place: readonly string[]): Node | undefined {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || root?.type !== 'object') {
    throw new Failure('invalid-input', 'The file is not JSON that can be read.')
  }
  for (let depth = 1; depth < place.length; depth++) {
    const way = findNodeAtLocation(root, place.slice(0, depth))
    if (way !== undefined && way.type !== 'object') {
      throw new Failure('invalid-input', `${place.slice(0, depth).join('.')} in the file is not an object.`)
    }
  }
  return findNodeAtLocation(root, [...place])
}

/** undefined for what holds comments: then it is not what we would write. */
function writtenValue(text: string, { offset, length }: Node): unknown {
  try {
    return JSON.parse(text.slice(offset, offset + length))
  } catch {
    return undefined
  }
}

function commaIn(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    if (text.startsWith('//', at)) at = text.indexOf('\n', at)
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 1
    else if (text[at] === ',') return at
  }
  return undefined
}

const lineIndent = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))![0]

const spliced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to)
