import type { Span } from '../scanned-note.js'

/**
 * Reads the YAML of nearly all notes: `key: value`, `key: [a, b]`, and lists of plain or quoted strings, with comments.
 * Undefined for anything else, which the full parser then reads. Both parsers give the same result.
 */
export function readPlainYaml(text: string, start: number, end: number): YamlResult | undefined {
  return new PlainYamlReader(text, start, end).read()
}

const MAX_KEY = 200

class PlainYamlReader {
  private readonly data = Object.create(null) as Record<string, unknown>
  private readonly strings: YamlString[] = []
  private key = ''
  /** The list of the items being read, and the indentation of its dashes; -1 before the first item. */
  private list: unknown[] | undefined
  private listIndent = -1

  constructor(
    private readonly text: string,
    private readonly start: number,
    private readonly end: number,
  ) {}

  read(): YamlResult | undefined {
    const { text, end } = this
    for (let line = this.start; line < end; ) {
      const lineFeed = text.indexOf('\n', line)
      let lineEnd = lineFeed < 0 || lineFeed >= end ? end : lineFeed
      const next = lineEnd + 1
      if (lineEnd > line && text.charCodeAt(lineEnd - 1) === 13) lineEnd--
      if (!this.readLine(line, lineEnd)) return undefined
      line = next
    }
    return { data: this.data, strings: this.strings }
  }

  private readLine(start: number, end: number): boolean {
    const { text } = this
    const content = skipSpaces(text, start, end)
    if (content === end) return true
    const code = text.charCodeAt(content)
    if (content === start) {
      if (code === 35) return isPrintable(text, start, end)
      if (code !== 45) return this.readPair(start, end)
    }
    if (code !== 45 || this.list === undefined) return false
    return this.readItem(content, content - start, end)
  }

  private readPair(start: number, end: number): boolean {
    const { text, data } = this
    const colon = keyEnd(text, start, end)
    if (colon < 0) return false
    const key = text.slice(start, colon)
    if (key in data || typeof plainValue(key) !== 'string') return false
    this.key = key
    this.list = undefined
    const valueStart = skipSpaces(text, colon + 1, end)
    if (valueStart === end || text.charCodeAt(valueStart) === 35) {
      if (!isPrintable(text, valueStart, end)) return false
      data[key] = null
      this.list = []
      this.listIndent = -1
      return true
    }
    if (text.charCodeAt(valueStart) === 91) return this.readFlowList(valueStart, end)
    const value = this.readScalar(valueStart, end)
    if (value === undefined) return false
    data[key] = value
    return true
  }

  private readItem(dash: number, indent: number, end: number): boolean {
    const { text, list } = this
    if (list === undefined || (this.listIndent >= 0 && indent !== this.listIndent)) return false
    if (text.charCodeAt(dash + 1) !== 32) return false
    const valueStart = skipSpaces(text, dash + 1, end)
    if (valueStart >= end) return false
    const value = this.readScalar(valueStart, end)
    if (value === undefined) return false
    if (this.listIndent < 0) {
      this.listIndent = indent
      this.data[this.key] = list
    }
    list.push(value)
    return true
  }

  /** A plain or quoted scalar that fills the rest of the line, except for a comment; undefined for anything harder. */
  private readScalar(start: number, end: number): unknown {
    const { text } = this
    const quote = text.charCodeAt(start)
    if (quote === 34 || quote === 39) {
      const close = quotedEnd(text, start, end, quote)
      if (close < 0 || !isRestComment(text, close + 1, end)) return undefined
      return this.addString(start + 1, close)
    }
    if (!startsPlain(quote, text.charCodeAt(start + 1))) return undefined
    let valueEnd = start
    for (let position = start; position < end; position++) {
      const code = text.charCodeAt(position)
      if (code === 32) continue
      if (code < 32 || (code >= 127 && code < 160) || code === 0xfeff) return undefined
      if (code === 58 && (position + 1 === end || text.charCodeAt(position + 1) === 32)) return undefined
      if (code === 35 && text.charCodeAt(position - 1) === 32) {
        if (!isPrintable(text, position, end)) return undefined
        break
      }
      valueEnd = position + 1
    }
    return this.addPlain(start, valueEnd)
  }

  private readFlowList(open: number, end: number): boolean {
    const { text } = this
    const items: unknown[] = []
    let position = skipSpaces(text, open + 1, end)
    if (text.charCodeAt(position) === 93 && position < end) {
      this.data[this.key] = items
      return isRestComment(text, position + 1, end)
    }
    for (;;) {
      if (position >= end) return false
      const code = text.charCodeAt(position)
      let itemEnd: number
      if (code === 34 || code === 39) {
        const close = quotedEnd(text, position, end, code)
        if (close < 0) return false
        items.push(this.addString(position + 1, close))
        itemEnd = close + 1
      } else {
        itemEnd = flowPlainEnd(text, position, end)
        if (itemEnd < 0) return false
        items.push(this.addPlain(position, itemEnd))
      }
      position = skipSpaces(text, itemEnd, end)
      if (position >= end) return false
      const separator = text.charCodeAt(position)
      if (separator === 93) {
        this.data[this.key] = items
        return isRestComment(text, position + 1, end)
      }
      if (separator !== 44) return false
      position = skipSpaces(text, position + 1, end)
    }
  }

  private addPlain(start: number, end: number): unknown {
    const source = this.text.slice(start, end)
    const value = plainValue(source)
    if (value === source) this.strings.push({ property: this.key, value: source, start, end, isVerbatim: true })
    return value
  }

  private addString(start: number, end: number): string {
    const value = this.text.slice(start, end)
    this.strings.push({ property: this.key, value, start, end, isVerbatim: true })
    return value
  }
}

/** Offset of the colon that ends a plain key, or -1. */
function keyEnd(text: string, start: number, end: number): number {
  const limit = Math.min(end, start + MAX_KEY)
  if (!isWordStart(text.charCodeAt(start))) return -1
  for (let position = start + 1; position < limit; position++) {
    const code = text.charCodeAt(position)
    if (code === 58) {
      const isEnd = position + 1 === end || text.charCodeAt(position + 1) === 32
      return isEnd && text.charCodeAt(position - 1) !== 32 ? position : -1
    }
    // Letters, digits, space, and - . / _
    if (!isWordStart(code) && !(code >= 45 && code <= 57) && code !== 32) return -1
  }
  return -1
}

function isWordStart(code: number): boolean {
  const lower = code | 32
  return (lower >= 97 && lower <= 122) || code === 95 || (code >= 160 && code !== 0xfeff)
}

/** True if an unquoted scalar may begin like this: no indicator, except a `-` right before a letter, digit or dot. */
function startsPlain(code: number, next: number): boolean {
  if (code === 45) return isWordStart(next) || (next >= 48 && next <= 57) || next === 46
  // ! " # % & ' * , > ? @ [ ] ` { | } and :
  return code > 32 && !'!"#%&\'*,>?@[]`{|}:'.includes(String.fromCharCode(code))
}

/** Offset of the closing quote on this line, or -1 if there is an escape, a control character or no such quote. */
function quotedEnd(text: string, open: number, end: number, quote: number): number {
  for (let position = open + 1; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === quote) return quote === 39 && text.charCodeAt(position + 1) === 39 ? -1 : position
    if (code < 32 || (code === 92 && quote === 34) || (code >= 127 && code < 160) || code === 0xfeff) return -1
  }
  return -1
}

function flowPlainEnd(text: string, start: number, end: number): number {
  if (!startsPlain(text.charCodeAt(start), text.charCodeAt(start + 1))) return -1
  let valueEnd = start
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === 44 || code === 93) return valueEnd
    if (code === 32) continue
    // : # [ { } need the full parser.
    if (code < 32 || code === 58 || code === 35 || code === 91 || code === 123 || code === 125) return -1
    if ((code >= 127 && code < 160) || code === 0xfeff) return -1
    valueEnd = position + 1
  }
  return -1
}

function isRestComment(text: string, start: number, end: number): boolean {
  const position = skipSpaces(text, start, end)
  if (position === end) return true
  return position > start && text.charCodeAt(position) === 35 && isPrintable(text, position, end)
}

function isPrintable(text: string, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code < 32 || (code >= 127 && code < 160) || code === 0xfeff) return false
  }
  return true
}

function skipSpaces(text: string, start: number, end: number): number {
  let position = start
  while (position < end && text.charCodeAt(position) === 32) position++
  return position
}

/** A string of the frontmatter and its span. */
export interface YamlString extends Span {
  /** The top-level key it belongs to. */
  property: string
  value: string
  /** True if `text.slice(start, end)` is exactly the value; otherwise the span is the scalar's source. */
  isVerbatim: boolean
}

export interface YamlResult {
  /** Null-prototype objects all the way down. */
  data: Record<string, unknown>
  strings: YamlString[]
}

/** The value of an unquoted scalar in YAML 1.2's core schema. Dates and `yes` are strings there. */
export function plainValue(source: string): unknown {
  const first = source.charCodeAt(0)
  // Digits, + - . ~, and the first letters of null, true, false.
  if (!(first >= 43 && first <= 57) && first !== 126 && !'nNtTfF'.includes(source.charAt(0))) return source
  if (/^(?:~|[Nn]ull|NULL)$/.test(source)) return null
  if (/^(?:[Tt]rue|TRUE)$/.test(source)) return true
  if (/^(?:[Ff]alse|FALSE)$/.test(source)) return false
  if (/^0o[0-7]+$/.test(source)) return finite(Number.parseInt(source.slice(2), 8))
  if (/^[-+]?[0-9]+$/.test(source)) return finite(Number.parseInt(source, 10))
  if (/^0x[0-9a-fA-F]+$/.test(source)) return finite(Number.parseInt(source.slice(2), 16))
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(source)) return first === 45 ? '-Infinity' : 'Infinity'
  if (/^\.(?:nan|NaN|NAN)$/.test(source)) return 'NaN'
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+$/.test(source)) return finite(Number.parseFloat(source))
  if (/^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/.test(source)) return finite(Number.parseFloat(source))
  return source
}

/** JSON has no Infinity and NaN, so they become strings. */
export function finite(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
