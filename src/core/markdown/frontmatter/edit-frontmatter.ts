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
import { findFrontmatter } from './find-frontmatter.js'
import { readFullYaml } from './full-yaml.js'
import { plainValue } from './plain-yaml.js'

/** Properties to set and to remove. */
export interface FrontmatterEdit {
  /** Properties to write, new or replaced. */
  set?: Record<string, unknown>
  /** Properties to remove; missing ones are ignored. */
  remove?: string[]
  /** New names of properties; their values stay as written. */
  rename?: Record<string, string>
  /** Items to append to a list property, which is created if missing; items it already has are ignored. */
  add?: Record<string, unknown[]>
  /** Items to remove from a list property. */
  drop?: Record<string, unknown[]>
}

/**
 * Edits a note's frontmatter by splicing the lines of the edited properties; every other byte stays. Refuses YAML that
 * has errors, and checks by reading again that no other property changed.
 */
export function editFrontmatter(text: string, edit: FrontmatterEdit): string {
  const fence = findFrontmatter(text)
  if (fence === undefined) return createFrontmatter(text, edit)
  const { yaml, lineBreak } = fence
  const editor = new YamlEditor(text.slice(yaml.start, yaml.end), lineBreak)
  editor.apply(edit)
  const edited = text.slice(0, yaml.start) + editor.source + text.slice(yaml.end)
  const check = findFrontmatter(edited)
  if (check?.yaml.end !== yaml.start + editor.source.length) throw new Error('The edit moved the frontmatter’s end')
  return edited
}

function createFrontmatter(text: string, edit: FrontmatterEdit): string {
  const lineFeed = text.indexOf('\n')
  const lineBreak = lineFeed > 0 && text.charCodeAt(lineFeed - 1) === 13 ? '\r\n' : '\n'
  const editor = new YamlEditor('', lineBreak)
  editor.apply(edit)
  if (editor.source === '') return text
  const mark = text.charCodeAt(0) === 0xfeff ? '\ufeff' : ''
  return `${mark}---${lineBreak}${editor.source}---${lineBreak}${text.slice(mark.length)}`
}

/** Properties whose string may hold several items. */
const separators: Record<string, RegExp> = { tags: /[\s,]+/, tag: /[\s,]+/, aliases: /,/, alias: /,/ }

class YamlEditor {
  /** The expected values of all properties after the edit. */
  private readonly expected: Map<string, unknown>

  constructor(
    public source: string,
    private readonly lineBreak: string,
  ) {
    this.expected = this.read()
  }

  apply({ set = {}, remove = [], rename = {}, add = {}, drop = {} }: FrontmatterEdit): void {
    for (const key of remove) this.remove(key)
    for (const [key, name] of Object.entries(rename)) this.rename(key, name)
    for (const key of Object.keys(set)) this.set(key, set[key])
    for (const [key, items] of Object.entries(drop)) this.drop(key, items)
    for (const [key, items] of Object.entries(add)) this.add(key, items)
    this.verify()
  }

  private set(key: string, value: unknown): void {
    if (this.expected.has(key) && isSameValue(this.expected.get(key), value)) return
    this.expected.set(key, value)
    const property = findProperty(this.source, key)
    if (property === undefined) this.append(key, value)
    else this.replaceValue(property, (comment) => this.valueLike(property, value, comment))
  }

  /** The text of a new value in the style of the current one: quotes, and lists on one line or with their indentation. */
  private valueLike({ value: current, indent }: PropertySource, value: unknown, comment: string): string {
    if (isScalar(current) && current.tag === undefined && typeof value === 'string') {
      const quoted = quotedLike(current.type, value)
      if (quoted !== undefined) return ` ${quoted}${comment}`
    }
    const list = isSeq(current) && current.tag === undefined && Array.isArray(value) ? current : undefined
    if (list === undefined || !Array.isArray(value) || value.length === 0) {
      return valueText(value, indent, this.lineBreak, comment)
    }
    const { isFlow, items } = listItems(this.source, list)
    const written = items.map(({ start, end, value: node }) => ({ text: this.source.slice(start, end), node }))
    const texts = value.map((item, at) => {
      const same = written.find(({ text, node }) => isScalar(node) && node.value === item && !text.includes('\n'))
      const replaced = value.length === items.length ? items[at] : items.at(-1)
      return same?.text ?? itemLike(replaced?.value, item, isFlow)
    })
    if (isFlow) return ` [${texts.join(', ')}]${comment}`
    const dash = items[0]?.dash ?? -1
    const itemIndent = dash < 0 ? `${indent}  ` : this.source.slice(this.source.lastIndexOf('\n', dash - 1) + 1, dash)
    return listText(texts, /^ *$/.test(itemIndent) ? itemIndent : `${indent}  `, this.lineBreak, comment)
  }

  private append(key: string, value: unknown): void {
    this.source += pairLines(key, value, keyIndent(this.source), this.lineBreak)
  }

  private remove(key: string): void {
    const property = findProperty(this.source, key)
    if (property === undefined) return
    this.expected.delete(key)
    this.splice(property.lineStart, property.next, '')
  }

  private rename(key: string, name: string): void {
    const property = findProperty(this.source, key)
    if (property === undefined || key === name) return
    if (this.expected.has(name)) {
      throw new Failure('conflict', `It already has a property ${JSON.stringify(name)}.`)
    }
    const { lineStart, indent, afterColon } = property
    this.expected.set(name, this.expected.get(key))
    this.expected.delete(key)
    this.splice(lineStart + indent.length, afterColon - 1, keyText(name))
  }

  private add(key: string, items: unknown[]): void {
    const current = this.expected.get(key) ?? null
    const values: unknown[] = current === null ? [] : Array.isArray(current) ? current : scalarItems(key, current)
    const fresh = items.filter(
      (item, index) => ![...values, ...items.slice(0, index)].some((each) => isSameValue(each, item)),
    )
    if (fresh.length === 0) return
    if (current === null) {
      this.set(key, fresh)
      return
    }
    const list = this.openList(key, current)
    this.expected.set(key, [...values, ...fresh])
    const last = list.items.at(-1)
    if (list.isFlow) {
      const written = fresh.map((item) => itemLike(last?.value, item, true)).join(', ')
      if (last === undefined) this.splice(list.start + 1, list.start + 1, written)
      else this.splice(last.end, last.end, `, ${written}`)
      return
    }
    if (last === undefined || last.dash < 0) throw unsafe(key)
    const indent = this.source.slice(this.source.lastIndexOf('\n', last.dash - 1) + 1, last.dash)
    const at = lineEndAt(this.source, Math.max(last.end, last.dash))
    this.splice(
      at,
      at,
      fresh.map((item) => `${indent}- ${itemLike(last.value, item, false)}${this.lineBreak}`).join(''),
    )
  }

  private drop(key: string, unwanted: unknown[]): void {
    const current = this.expected.get(key) ?? null
    if (current === null) return
    const values = Array.isArray(current) ? current : scalarItems(key, current)
    const kept = values.map((value) => !unwanted.some((each) => isSameValue(each, value)))
    if (!kept.includes(false)) return
    if (!kept.includes(true)) {
      this.set(key, [])
      return
    }
    const { isFlow, items } = this.openList(key, current)
    this.expected.set(
      key,
      values.filter((_, index) => kept[index]),
    )
    // From the end, so that the offsets of earlier items stay valid.
    const lastKept = kept.lastIndexOf(true)
    const [lastKeptItem, lastItem] = [items[lastKept], items.at(-1)]
    if (isFlow && lastKeptItem && lastItem) this.splice(lastKeptItem.end, lastItem.end, '')
    for (let index = (isFlow ? lastKept : items.length) - 1; index >= 0; index--) {
      const [item, nextItem] = [items[index], items[index + 1]]
      if (kept[index] || item === undefined) continue
      const { start, end, dash } = item
      if (isFlow) this.splice(start, nextItem?.start ?? end, '')
      else if (dash < 0) throw unsafe(key)
      else this.splice(this.source.lastIndexOf('\n', dash - 1) + 1, lineEndAt(this.source, Math.max(end, dash)), '')
    }
  }

  /** The property's list in the source; a single value is converted to a list first. */
  private openList(key: string, current: unknown): ListSource {
    let property = findProperty(this.source, key)
    if (property !== undefined && !Array.isArray(current)) {
      this.scalarToList(key, property, current)
      property = findProperty(this.source, key)
    }
    const list = property === undefined ? undefined : asList(property.value)
    if (list === undefined) throw unsafe(key)
    return listItems(this.source, list)
  }

  /** `tags: one` becomes a list of one; the item keeps its spelling. */
  private scalarToList(key: string, property: PropertySource, current: unknown): void {
    const { value, valueStart, valueEnd } = property
    const written = this.source.slice(valueStart, valueEnd)
    if (!isScalar(value) || value.tag !== undefined || written.includes('\n')) throw unsafe(key)
    const items = scalarItems(key, current)
    const texts = items.length === 1 && items[0] === current ? [written] : items.map((each) => inlineText(each, 1))
    this.replaceValue(property, (comment) => listText(texts, `${property.indent}  `, this.lineBreak, comment))
  }

  /** Writes a new value after the colon and keeps the comment on the property's line. */
  private replaceValue(property: PropertySource, write: (comment: string) => string): void {
    const { afterColon, valueStart, valueEnd, next } = property
    const { source } = this
    const keyLineEnd = withoutBreak(source, lineEndAt(source, afterColon))
    const lastLineEnd = withoutBreak(source, next)
    const isOnKeyLine = valueStart <= keyLineEnd
    const comment = isOnKeyLine
      ? source.slice(Math.min(valueEnd, lastLineEnd), lastLineEnd)
      : source.slice(afterColon, keyLineEnd)
    const kept = /^\s+#[^\n]*$/.test(comment) ? comment : ''
    const end = isOnKeyLine && kept === '' && /^[ \t]*$/.test(comment) ? Math.max(valueEnd, afterColon) : lastLineEnd
    this.splice(afterColon, end, write(kept))
  }

  private splice(start: number, end: number, replacement: string): void {
    this.source = this.source.slice(0, start) + replacement + this.source.slice(end)
  }

  private verify(): void {
    const actual = this.read()
    const keys = [...this.expected.keys()]
    const isEqual =
      actual.size === keys.length &&
      keys.every((key) => actual.has(key) && isSameValue(actual.get(key), this.expected.get(key)))
    if (!isEqual) {
      throw new Failure('invalid-input', 'The frontmatter is written in a form that cannot be edited safely.', {
        hint: 'Nothing was changed. Edit it by hand.',
      })
    }
  }

  private read(): Map<string, unknown> {
    const { reading, errors } = readFullYaml(this.source, 0)
    if (reading === undefined) {
      throw new Failure('invalid-input', `The note's frontmatter could not be read: ${errors[0]}`, {
        hint: 'Correct its YAML first.',
      })
    }
    return new Map(Object.entries(reading.data))
  }
}

function scalarItems(key: string, value: unknown): unknown[] {
  const separator = Object.hasOwn(separators, key.toLowerCase()) ? separators[key.toLowerCase()] : undefined
  if (separator === undefined || typeof value !== 'string') return [value]
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function withoutBreak(source: string, lineEnd: number): number {
  let end = lineEnd
  if (source.charCodeAt(end - 1) === 10) end--
  if (source.charCodeAt(end - 1) === 13) end--
  return end
}

/** True if both are equal as JSON, in any order of keys. */
function isSameValue(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const object = value as Record<string, unknown>
  const keys = Object.keys(object).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`).join()}}`
}

/** One top-level property and the offsets of its parts in the YAML source. */
interface PropertySource {
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

function parseSource(source: string): Document.Parsed {
  return parseDocument(source, {
    schema: 'core',
    merge: false,
    logLevel: 'silent',
    prettyErrors: false,
    keepSourceTokens: true,
  })
}

/** Finds a property so that its lines can be spliced; undefined when there is none. Refuses where that is not safe. */
function findProperty(source: string, key: string): PropertySource | undefined {
  const { contents } = parseSource(source)
  if (contents === null || !isMap(contents)) return undefined
  if (contents.flow) throw new Failure('invalid-input', 'Frontmatter written as {…} cannot be edited')
  const pair = contents.items.find((each) => isScalar(each.key) && scalarText(each.key.value) === key)
  if (pair === undefined) return undefined
  return locateProperty(source, key, pair)
}

/** The indentation of the top-level keys: nearly always none. */
function keyIndent(source: string): string {
  const { contents } = parseSource(source)
  if (!isMap(contents)) return ''
  if (contents.flow) throw new Failure('invalid-input', 'Frontmatter written as {…} cannot be edited')
  const first = contents.items[0]?.key
  if (!isScalar(first) || !first.range) return ''
  const start = first.range[0]
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).match(/^ */)?.[0] ?? ''
}

interface ListSource {
  isFlow: boolean
  start: number
  items: { start: number; end: number; dash: number; value: unknown }[]
}

/** The items of a list property with their offsets. */
function listItems(source: string, list: YAMLSeq): ListSource {
  const tokens = list.srcToken?.type === 'block-seq' ? list.srcToken.items : []
  const items = list.items.map((item, index) => {
    const node = item as Node
    if (!node.range || isAlias(node)) throw unsafe('the list')
    const dash = tokens[index]?.start.find((token) => token.type === 'seq-item-ind')?.offset ?? -1
    return { start: node.range[0], end: trimmedEnd(source, node.range[0], node.range[1]), dash, value: item }
  })
  return { isFlow: list.flow === true, start: list.range?.[0] ?? 0, items }
}

function asList(value: Node | null): YAMLSeq | undefined {
  return isSeq(value) ? value : undefined
}

function lineEndAt(source: string, offset: number): number {
  const lineFeed = source.indexOf('\n', offset)
  return lineFeed < 0 ? source.length : lineFeed + 1
}

function locateProperty(source: string, key: string, pair: Pair): PropertySource {
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
  const valueEnd = trimmedEnd(source, valueStart, value.range[1])
  // A literal block that keeps its blank lines ends at the start of a line.
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

function trimmedEnd(source: string, start: number, end: number): number {
  let position = end
  while (position > start && source.charCodeAt(position - 1) <= 32) position--
  return position
}

function unsafe(key: string): Failure {
  return new Failure(
    'invalid-input',
    `The property ${JSON.stringify(key)} is written in a form that cannot be edited safely.`,
    {
      hint: 'It uses YAML anchors, aliases or explicit keys. Edit it by hand.',
    },
  )
}

/** Deeper values are refused. */
const maxValueDepth = 16

/** `key: value` as whole lines, with lists and objects in block style, as Obsidian writes them. */
function pairLines(key: string, value: unknown, indent: string, lineBreak: string): string {
  return `${indent}${keyText(key)}:${valueText(value, indent, lineBreak)}${lineBreak}`
}

/** The text after `key:`, from its space or line break on, without the last line break. */
function valueText(value: unknown, indent: string, lineBreak: string, comment = '', depth = 0): string {
  if (depth > maxValueDepth) throw new Failure('invalid-input', 'The property value is nested too deeply')
  if (Array.isArray(value) && value.length > 0) {
    return listText(
      value.map((item) => inlineText(item, depth + 1)),
      `${indent}  `,
      lineBreak,
      comment,
    )
  }
  if (isPlainObject(value) && Object.keys(value).length > 0) {
    const inner = `${indent}  `
    const lines = Object.keys(value).map(
      (key) => `${inner}${keyText(key)}:${valueText(value[key], inner, lineBreak, '', depth + 1)}`,
    )
    return [comment, ...lines].join(lineBreak)
  }
  return (value === null ? '' : ` ${inlineText(value, depth)}`) + comment
}

/** A block list of items that are already YAML. */
function listText(items: string[], indent: string, lineBreak: string, comment = ''): string {
  return [comment, ...items.map((item) => `${indent}- ${item}`)].join(lineBreak)
}

/** A value on one line: a scalar, or a collection in flow style. */
function inlineText(value: unknown, depth = 0, inFlow = false): string {
  if (depth > maxValueDepth) throw new Failure('invalid-input', 'The property value is nested too deeply')
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return Object.is(value, -0) ? '0' : String(value)
  if (typeof value === 'string') return canBePlain(value, inFlow) ? value : quotedText(value)
  if (Array.isArray(value)) return `[${value.map((item) => inlineText(item, depth + 1, true)).join(', ')}]`
  if (isPlainObject(value)) {
    const pairs = Object.keys(value).map((key) => {
      const name = canBePlain(key, true) ? key : quotedText(key)
      return `${name}: ${inlineText(value[key], depth + 1, true)}`
    })
    return `{${pairs.join(', ')}}`
  }
  throw new Failure('invalid-input', 'A property value must be text, a number, true, false, null, a list or an object')
}

/** A string in the quotes of another scalar; undefined for a plain scalar, or if these quotes cannot hold it. */
function quotedLike(type: unknown, value: string): string | undefined {
  if (type === 'QUOTE_DOUBLE') return quotedText(value)
  const isSimple = type === 'QUOTE_SINGLE' && !/[\p{C}\u2028\u2029]/u.test(value)
  return isSimple ? `'${value.replaceAll("'", "''")}'` : undefined
}

/** A list item in the style of its neighbour. */
function itemLike(neighbour: unknown, item: unknown, isFlow: boolean): string {
  const quoted = isScalar(neighbour) && typeof item === 'string' ? quotedLike(neighbour.type, item) : undefined
  return quoted ?? inlineText(item, 1, isFlow)
}

function keyText(key: string): string {
  if (key.length > 500) throw new Failure('invalid-input', 'A property name must be shorter than 500 characters')
  return canBePlain(key, false) ? key : quotedText(key)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** True if a string needs no quotes to be read back unchanged, also by YAML 1.1 readers. Dates stay unquoted, as in Obsidian. */
function canBePlain(value: string, inFlow: boolean): boolean {
  if (!/^[\p{L}\p{N}_(/]/u.test(value) || /[\s:]$/.test(value)) return false
  if (/[\p{C}\u2028\u2029]|: | #|\s{2}|[^\S ]/u.test(value)) return false
  if (inFlow && /[,[\]{}:]/.test(value)) return false
  if (/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value)) return false
  // Numbers in any notation, times of day, `1_000`, `0b1`.
  if (/^\d[\d_.,:]*(?:e\d+)?$/i.test(value) || /^0[box][\da-f_]*$/i.test(value)) return false
  return plainValue(value) === value
}

function quotedText(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u00ad\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
