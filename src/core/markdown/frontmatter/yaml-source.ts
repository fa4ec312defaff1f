import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLSeq,
} from 'yaml'
import { Failure } from '../../errors.js'
import { scalarText } from '../../text/index.js'

/** One top-level property and where its parts stand in the YAML source. */
export interface PropertySource {
  /** Start of the property's first line, and the blanks before its key. */
  lineStart: number
  indent: string
  /** Offset after the colon. */
  afterColon: number
  value: Node | null
  /** The value without tag, comment or final line break; empty for `key:`. */
  valueStart: number
  valueEnd: number
  /** Start of the line after the property. */
  next: number
}

export function parseSource(source: string): Document.Parsed {
  return parseDocument(source, {
    schema: 'core',
    merge: false,
    logLevel: 'silent',
    prettyErrors: false,
    keepSourceTokens: true,
  })
}

/** Finds a property so that its lines can be spliced; undefined when there is none. Refuses where that is not safe. */
export function findProperty(source: string, key: string): PropertySource | undefined {
  const { contents } = parseSource(source)
  if (contents === null || !isMap(contents)) return undefined
  if (contents.flow) throw new Failure('invalid-input', 'Frontmatter written as {…} cannot be edited')
  const pair = contents.items.find((each) => isScalar(each.key) && scalarText(each.key.value) === key)
  if (pair === undefined) return undefined
  return locate(source, key, pair)
}

/** The indentation of the top-level keys: nearly always none. */
export function keyIndent(source: string): string {
  const { contents } = parseSource(source)
  if (!isMap(contents)) return ''
  if (contents.flow) throw new Failure('invalid-input', 'Frontmatter written as {…} cannot be edited')
  const first = contents.items[0]?.key
  if (!isScalar(first) || !first.range) return ''
  const start = first.range[0]
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).match(/^ */)?.[0] ?? ''
}

export interface ListSource {
  isFlow: boolean
  start: number
  items: { start: number; end: number; dash: number; value: unknown }[]
}

/** The items of a list property and where they stand. */
export function listItems(source: string, list: YAMLSeq): ListSource {
  const tokens = list.srcToken?.type === 'block-seq' ? list.srcToken.items : []
  const items = list.items.map((item, index) => {
    const node = item as Node
    if (!node.range || isAlias(node)) throw unsafe('the list')
    const dash = tokens[index]?.start.find((token) => token.type === 'seq-item-ind')?.offset ?? -1
    return { start: node.range[0], end: trimEnd(source, node.range[0], node.range[1]), dash, value: item }
  })
  return { isFlow: list.flow === true, start: list.range?.[0] ?? 0, items }
}

export function asList(value: Node | null): YAMLSeq | undefined {
  return isSeq(value) ? value : undefined
}

export function lineEndAt(source: string, offset: number): number {
  const lineFeed = source.indexOf('\n', offset)
  return lineFeed < 0 ? source.length : lineFeed + 1
}

function locate(source: string, key: string, pair: Pair): PropertySource {
  const keyNode = pair.key
  const value = (pair.value ?? null) as Node | null
  if (!isScalar(keyNode) || !keyNode.range || keyNode.anchor !== undefined || key === '<<') throw unsafe(key)
  const keyStart = keyNode.range[0]
  const lineStart = source.lastIndexOf('\n', keyStart - 1) + 1
  const indent = source.slice(lineStart, keyStart)
  const colon = source.indexOf(':', keyNode.range[1])
  if (!/^ *$/.test(indent) || !/^[ \t]*$/.test(source.slice(keyNode.range[1], colon))) throw unsafe(key)
  const afterColon = colon + 1
  if (value === null || !value.range || value.range[0] === value.range[1]) {
    const next = lineEndAt(source, afterColon)
    if (hasAnchor(value)) throw unsafe(key)
    return { lineStart, indent, afterColon, value: null, valueStart: afterColon, valueEnd: afterColon, next }
  }
  if (hasAnchor(value)) throw unsafe(key)
  const valueStart = value.range[0]
  const valueEnd = trimEnd(source, valueStart, value.range[1])
  // A literal block that keeps its blank lines ends at a line's start.
  const next = source[value.range[1] - 1] === '\n' ? value.range[1] : lineEndAt(source, valueEnd)
  return { lineStart, indent, afterColon, value, valueStart, valueEnd, next }
}

function hasAnchor(value: Node | null): boolean {
  let found = false
  visit(value, {
    Node: (_, node) => {
      if (!isAlias(node) && node.anchor !== undefined) found = true
      return found ? visit.BREAK : undefined
    },
  })
  return found
}

function trimEnd(source: string, start: number, end: number): number {
  let position = end
  while (position > start && source.charCodeAt(position - 1) <= 32) position--
  return position
}

export function unsafe(key: string): Failure {
  return new Failure(
    'invalid-input',
    `The property ${JSON.stringify(key)} is written in a way that cannot be edited safely`,
    {
      hint: 'It uses YAML anchors, aliases or explicit keys; edit it by hand.',
    },
  )
}
