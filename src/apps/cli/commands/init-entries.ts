import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { Failure } from '../../../core/errors.js'

/** The text with our entry in it. Comments, order, blanks and everything else stay byte for byte. */
export function withJsonEntry(text: string, place: readonly string[], entry: Record<string, unknown>): string {
  const from = text.trim() === '' ? '{}\n' : text
  const known = nodeAt(from, place)
  if (known === undefined) return inserted(from, place, entry)
  // Fields that the user added to the entry are kept.
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
  // Removes one comma as well: the one before, or for the first entry the one after.
  const [previous, next] = [siblings[at - 1], siblings[at + 1]]
  const before = previous && commaIn(text, previous.offset + previous.length, property.offset)
  const behind = at === 0 && next ? commaIn(text, end, next.offset) : undefined
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

/** Throws if the file cannot be parsed: then nothing is written. */
function nodeAt(text: string, place: readonly string[]): Node | undefined {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || root?.type !== 'object') {
    throw new Failure('invalid-input', 'The file is not valid JSON.')
  }
  for (let depth = 1; depth < place.length; depth++) {
    const way = findNodeAtLocation(root, place.slice(0, depth))
    if (way !== undefined && way.type !== 'object') {
      throw new Failure('invalid-input', `${place.slice(0, depth).join('.')} in the file is not an object.`)
    }
  }
  return findNodeAtLocation(root, [...place])
}

/** undefined if it contains comments: then it differs from our output. */
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

/** The text with our table in it. Every other byte stays, also keys that the user has added to the table. */
export function withTomlEntry(text: string, place: readonly string[], entry: Record<string, unknown>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = tomlLines(text)
  const name = place.join('.')
  checkForm(lines, place)
  const own = tableOf(lines, name)
  const wanted = Object.entries(entry).map(([key, value]) => [key, `${key} = ${JSON.stringify(value)}`] as const)
  if (own === undefined) {
    const gap = text === '' ? '' : text.endsWith('\n') ? end : `${end}${end}`
    return `${text}${gap}[${name}]${end}${wanted.map(([, line]) => line + end).join('')}`
  }
  const inside = lines.slice(own.from + 1, own.to)
  const kept = inside.map((line) => {
    const same = wanted.find(([key]) => key === line.key)
    return same === undefined ? line.text : same[1] + (line.text.endsWith('\n') ? end : '')
  })
  const missing = wanted.filter(([key]) => !inside.some((line) => line.key === key)).map(([, line]) => line + end)
  const before = lines.slice(0, own.from + 1).map((line) => line.text)
  const after = lines.slice(own.to).map((line) => line.text)
  if (!before.at(-1)?.endsWith('\n')) before.push(end)
  return [...before, ...missing, ...kept, ...after].join('')
}

/** Takes out the table and those below it. */
export function withoutTomlEntry(text: string, place: readonly string[]): string {
  const lines = tomlLines(text)
  const name = place.join('.')
  const isOurs = (table: string) => table === name || table.startsWith(`${name}.`)
  checkForm(lines, place)
  let left = lines
  for (let own = ownTable(); own !== undefined; own = ownTable()) {
    // The empty line before it was made with it.
    const from = left[own.from - 1]?.text.trim() === '' && own.to === left.length ? own.from - 1 : own.from
    left = [...left.slice(0, from), ...left.slice(own.to)]
  }
  return left.map((line) => line.text).join('')

  function ownTable() {
    const table = left.find((line) => line.table !== undefined && isOurs(line.table))?.table
    return table === undefined ? undefined : tableOf(left, table)
  }
}

/** From its head to the last line that is its own: comments before the next table belong to that. */
function tableOf(lines: readonly TomlLine[], name: string): { from: number; to: number } | undefined {
  const from = lines.findIndex(({ table }) => table === name)
  if (from < 0) return undefined
  let to = lines.findIndex(({ table, isArray }, at) => at > from && (table !== undefined || isArray))
  if (to < 0) to = lines.length
  while (to > from + 1 && to < lines.length && lines[to - 1]?.isBlank) to--
  return { from, to }
}

/** A server written as an inline TOML table cannot be extended here; the user has to add ours by hand. */
function checkForm(lines: readonly TomlLine[], [parent, name]: readonly string[]): void {
  let table = ''
  for (const line of lines) {
    if (line.table !== undefined) table = line.table
    const isInline =
      (table === '' && (line.key === parent || line.key?.startsWith(`${parent}.`))) ||
      (table === parent && line.key?.split('.')[0] === name)
    if (!isInline) continue
    throw new Failure(
      'conflict',
      'The servers in this file are written as inline tables, which are not changed here.',
      {
        hint: 'Put the lines in by hand.',
      },
    )
  }
}

/** A line of a TOML file, or the several lines of one value. All texts together are the file. */
interface TomlLine {
  text: string
  /** The name in `[mcp_servers.notewright]`, without quotes and spaces. */
  table?: string
  /** The head of a list of tables: `[[profiles]]`. */
  isArray?: true
  /** The key in `command = …`. */
  key?: string
  /** Nothing, or a comment. */
  isBlank?: true
}

/** Cuts a file where a line begins something new: not within brackets, and not within texts of several lines. */
function tomlLines(text: string): TomlLine[] {
  const lines: TomlLine[] = []
  let start = 0
  while (start < text.length) {
    const end = endOf(text, start)
    lines.push(lineOf(text.slice(start, end)))
    start = end
  }
  return lines
}

const quotes = ['"""', "'''", '"', "'"]

/** End of the line that starts here, including its line feed. */
function endOf(text: string, start: number): number {
  let depth = 0
  // The brackets of a head close on its own line; those of a value may not.
  for (let at = start; at < text.length; ) {
    const quote = quotes.find((mark) => text.startsWith(mark, at))
    if (quote !== undefined) at = afterText(text, at + quote.length, quote)
    else if (text[at] === '#') at = lineEnd(text, at)
    else if (text[at] === '\n' && depth <= 0) return at + 1
    else {
      if ('[{'.includes(text.charAt(at))) depth++
      if (']}'.includes(text.charAt(at))) depth--
      at++
    }
  }
  return text.length
}

function afterText(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\' && quote[0] === '"') at++
    else if (text.startsWith(quote, at)) return at + quote.length
    // A string that is not closed on its line: the program that reads the file reports it.
    else if (text[at] === '\n' && quote.length === 1) return at
  }
  return text.length
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function lineOf(text: string): TomlLine {
  const bare = text.trim()
  if (bare === '' || bare.startsWith('#')) return { text, isBlank: true }
  if (bare.startsWith('[[')) return { text, isArray: true }
  const head = /^\[([^\]]*)\]/.exec(bare)?.[1]
  if (head !== undefined) return { text, table: nameOf(head) }
  const key = /^([^=#]*?)\s*=/.exec(bare)?.[1]
  return { text, ...(key !== undefined && { key: nameOf(key) }) }
}

const nameOf = (written: string): string =>
  written
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.')
