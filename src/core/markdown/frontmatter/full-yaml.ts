import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Parser,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import { scalarText } from '../../text/index.js'
import { finite, type YamlResult, type YamlString } from './plain-yaml.js'

export const yamlLimits = {
  /** UTF-16 units of YAML. */
  size: 64 * 1024,
  depth: 64,
  aliases: 20,
  /** Number of values after aliases are expanded. */
  values: 50_000,
}

/** `at` is the offset of the first error in the YAML, where the parser names one. */
type FullYaml = { reading: YamlResult; errors: [] } | { reading?: undefined; errors: string[]; at?: number | undefined }

/** Reads any YAML with the `yaml` package, within limits that are checked before and after. Never throws. */
export function readFullYaml(source: string, offset: number, numbers: 'read' | 'as written' = 'read'): FullYaml {
  const refusal = refuse(source)
  if (refusal !== undefined) return { errors: [refusal] }
  try {
    const document = parseYaml(source)
    if (document.errors.length > 0) {
      return { errors: document.errors.map((error) => firstLine(error.message)), at: document.errors[0]?.pos[0] }
    }
    const root = document.contents
    if (root === null || (isScalar(root) && root.value === null)) {
      return { reading: { data: Object.create(null) as Record<string, unknown>, strings: [] }, errors: [] }
    }
    if (!isMap(root)) return { errors: ['Frontmatter is not a list of properties'] }
    if (numbers === 'as written') visit(document, { Scalar: keepAsWritten })
    const plain = document.toJS({ mapAsMap: true, maxAliasCount: yamlLimits.aliases }) as unknown
    const data = new Plainer().plain(plain, 0) as Record<string, unknown>
    return { reading: { data, strings: stringsOf(root, source, offset) }, errors: [] }
  } catch (error) {
    return { errors: [firstLine(error instanceof Error ? error.message : String(error))] }
  }
}

function parseYaml(source: string): Document.Parsed {
  return parseDocument(source, {
    schema: 'core',
    merge: false,
    logLevel: 'silent',
    prettyErrors: false,
    stringKeys: false,
  })
}

/** A number that JSON would write differently (`00123`, `1.50`, `0x1F`) may be a name, so it stays text. */
function keepAsWritten(_: unknown, node: Scalar): void {
  if (typeof node.value === 'number' && node.source !== undefined && String(node.value) !== node.source) {
    node.value = node.source
  }
}

/** The reason why this YAML is not parsed at all, if there is one. */
function refuse(source: string): string | undefined {
  if (source.length > yamlLimits.size) return `Frontmatter is too large (over ${yamlLimits.size / 1024} KiB)`
  if (source.charCodeAt(0) === 37) return 'YAML directives are not supported in frontmatter'
  return looksTooDeep(source) || nestsDeeper(source, yamlLimits.depth)
    ? `Frontmatter is nested too deeply (over ${yamlLimits.depth} levels)`
    : undefined
}

/** A cheap first check: brackets, and `- ` or `? ` stacked at the start of a line. Quotes are ignored. */
function looksTooDeep(source: string): boolean {
  let brackets = 0
  let marks = 0
  for (let position = 0; position < source.length; position++) {
    const code = source.charCodeAt(position)
    if (code === 91 || code === 123) {
      if (++brackets > yamlLimits.depth) return true
    } else if ((code === 93 || code === 125) && brackets > 0) brackets--
    if (code === 10) marks = 0
    else if (marks >= 0 && code > 32) {
      const isMark = (code === 45 || code === 63 || code === 58) && source.charCodeAt(position + 1) <= 32
      if (!isMark) marks = -1
      else if (++marks > yamlLimits.depth) return true
    }
  }
  return false
}

/** Converts the output of `yaml` to JSON-safe data without prototypes. */
class Plainer {
  private values = 0
  private readonly open = new Set<unknown>()

  plain(value: unknown, depth: number): unknown {
    if (++this.values > yamlLimits.values) throw new Error('Frontmatter has too many values')
    if (typeof value === 'number') return finite(value)
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= yamlLimits.depth) throw new Error(`Frontmatter is nested too deeply (over ${yamlLimits.depth} levels)`)
    if (this.open.has(value)) throw new Error('Frontmatter contains itself')
    this.open.add(value)
    const plain = this.collection(value, depth + 1)
    this.open.delete(value)
    return plain
  }

  private collection(value: unknown, depth: number): unknown {
    if (Array.isArray(value)) return value.map((item) => this.plain(item, depth))
    if (!(value instanceof Map)) return String(value)
    const object = Object.create(null) as Record<string, unknown>
    for (const [key, item] of value) object[keyName(key)] = this.plain(item, depth)
    return object
  }
}

function keyName(key: unknown): string {
  return typeof key === 'object' && key !== null ? JSON.stringify(key) : scalarText(key)
}

function stringsOf(root: Node, source: string, offset: number): YamlString[] {
  const strings: YamlString[] = []
  if (!isMap(root)) return strings
  for (const pair of root.items) {
    const property = isScalar(pair.key) ? keyName(pair.key.value) : ''
    const open: unknown[] = [pair.value]
    while (open.length > 0) {
      const node = open.pop()
      if (isScalar(node)) {
        if (typeof node.value !== 'string' || !node.range) continue
        const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE'
        const start = node.range[0] + (isQuoted ? 1 : 0)
        const end = node.range[1] - (isQuoted ? 1 : 0)
        const isVerbatim = source.slice(start, end) === node.value
        strings.push({ property, value: node.value, start: start + offset, end: end + offset, isVerbatim })
      } else if (isMap(node) || isSeq(node)) {
        for (let index = node.items.length - 1; index >= 0; index--) {
          const item = node.items[index]
          open.push(isPair(item) ? item.value : item)
        }
      } else if (isAlias(node)) continue
    }
  }
  return strings
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}

/** True if collections are nested deeper than `limit`. Works on tokens without recursion, so no text can overflow the stack. */
function nestsDeeper(source: string, limit: number): boolean {
  const open = [...new Parser().parse(source)].map((token: CST.Token) => ({ token, depth: 0 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > limit) return true
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth: depth + 1 })
      if (value) open.push({ token: value, depth: depth + 1 })
    }
  }
  return false
}
