import { isScalar } from 'yaml'
import { Failure } from '../../errors.js'
import { findFrontmatter } from './find-frontmatter.js'
import { readFullYaml } from './read-full-yaml.js'
import { inlineText, listText, pairLines, valueText } from './write-yaml.js'
import {
  asList,
  findProperty,
  keyIndent,
  type ListSource,
  lineEndAt,
  listItems,
  type PropertySource,
  unsafe,
} from './yaml-source.js'

export interface FrontmatterEdit {
  /** Properties to write, new or over what they held. */
  set?: Record<string, unknown>
  /** Properties to take out; those that are not there are passed over. */
  remove?: string[]
  /** Items to append to a list property (made when missing); those it has already are passed over. */
  add?: Record<string, unknown[]>
  /** Items to take out of a list property. */
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

/** Properties whose one string may name several things. */
const separators: Record<string, RegExp> = { tags: /[\s,]+/, tag: /[\s,]+/, aliases: /,/, alias: /,/ }

class YamlEditor {
  /** What the properties should hold in the end. */
  private readonly expected: Map<string, unknown>

  constructor(
    public source: string,
    private readonly lineBreak: string,
  ) {
    this.expected = this.read()
  }

  apply({ set = {}, remove = [], add = {}, drop = {} }: FrontmatterEdit): void {
    for (const key of remove) this.remove(key)
    for (const key of Object.keys(set)) this.set(key, set[key])
    for (const key of Object.keys(drop)) this.drop(key, drop[key])
    for (const key of Object.keys(add)) this.add(key, add[key])
    this.verify()
  }

  private set(key: string, value: unknown): void {
    if (this.expected.has(key) && isSame(this.expected.get(key), value)) return
    this.expected.set(key, value)
    const property = findProperty(this.source, key)
    if (property === undefined) this.append(key, value)
    else this.replaceValue(property, (comment) => valueText(value, property.indent, this.lineBreak, comment))
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

  private add(key: string, items: unknown[]): void {
    const current = this.expected.get(key) ?? null
    const values: unknown[] = current === null ? [] : Array.isArray(current) ? current : scalarItems(key, current)
    const fresh = items.filter(
      (item, index) => ![...values, ...items.slice(0, index)].some((each) => isSame(each, item)),
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
      const written = fresh.map((item) => inlineText(item, 1, true)).join(', ')
      if (last === undefined) this.splice(list.start + 1, list.start + 1, written)
      else this.splice(last.end, last.end, `, ${written}`)
      return
    }
    if (last === undefined || last.dash < 0) throw unsafe(key)
    const indent = this.source.slice(this.source.lastIndexOf('\n', last.dash - 1) + 1, last.dash)
    const at = lineEndAt(this.source, Math.max(last.end, last.dash))
    this.splice(at, at, fresh.map((item) => `${indent}- ${inlineText(item, 1)}${this.lineBreak}`).join(''))
  }

  private drop(key: string, unwanted: unknown[]): void {
    const current = this.expected.get(key) ?? null
    if (current === null) return
    const values = Array.isArray(current) ? current : scalarItems(key, current)
    const kept = values.map((value) => !unwanted.some((each) => isSame(each, value)))
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
    const lastKept = kept.lastIndexOf(true)
    if (isFlow && lastKept < items.length - 1) this.splice(items[lastKept].end, items[items.length - 1].end, '')
    for (let index = (isFlow ? lastKept : items.length) - 1; index >= 0; index--) {
      if (kept[index]) continue
      const { start, end, dash } = items[index]
      if (isFlow) this.splice(start, items[index + 1].start, '')
      else if (dash < 0) throw unsafe(key)
      else this.splice(this.source.lastIndexOf('\n', dash - 1) + 1, lineEndAt(this.source, Math.max(end, dash)), '')
    }
  }

  /** The property's list as it stands in the source, made a list first where it is a single value. */
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

  /** Puts a new value after the colon, keeping the comment that stands on the property's line. */
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
      keys.every((key) => actual.has(key) && isSame(actual.get(key), this.expected.get(key)))
    if (!isEqual) {
      throw new Failure('invalid-input', 'The frontmatter is written in a way that cannot be edited safely', {
        hint: 'Nothing was changed; edit it by hand.',
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

/** Equal as JSON, whatever the order of keys. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const object = value as Record<string, unknown>
  const keys = Object.keys(object).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`).join()}}`
}
