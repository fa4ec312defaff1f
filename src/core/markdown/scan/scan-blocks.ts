import {
  ASTERISK,
  BACKTICK,
  CARRIAGE_RETURN,
  CLOSE_PAREN,
  COLON,
  DOLLAR,
  DOT,
  EQUALS,
  GREATER,
  HASH,
  HYPHEN,
  isAsciiLetter,
  isBlank,
  isDigit,
  LESS,
  PIPE,
  PLUS,
  SPACE,
  TAB,
  TILDE,
  UNDERSCORE,
} from './characters.js'
import type { Findings } from './findings.js'
import {
  addAtxHeading,
  addSetextHeading,
  addTask,
  endOfLine,
  lineAfter,
  scanParagraph,
  takeDefinitions,
} from './scan-leaf.js'

/** Walks the lines from `start` on, block by block as CommonMark nests them, and scans the text of each. */
export function scanBlocks(findings: Findings, start: number): void {
  new BlockScan(findings).run(start)
}

/** Deeper quotes and lists are read as text, which limits the containers per line. */
const MAX_DEPTH = 100

const Leaf = { None: 0, Paragraph: 1, Fence: 2, IndentedCode: 3, HtmlComment: 4, RawHtml: 5 } as const
type Leaf = (typeof Leaf)[keyof typeof Leaf]

class BlockScan {
  private readonly text: string
  /** Open containers, outermost first: the columns that a list item requires, or 0 for a quote. */
  private readonly containers: number[] = []
  /** Depth of an innermost list item that began with a blank line and is still empty. */
  private emptyItem = 0

  private leaf: Leaf = Leaf.None
  private leafStart = 0
  private leafEnd = 0
  private lastLineStart = 0
  /** In a paragraph: offset of the header row of a table, or -1. */
  private tableStart = -1
  private fenceCode = 0
  private fenceSize = 0

  // The current line: its first non-space character, that character's column, and the column where content begins.
  private lineStart = 0
  private lineEnd = 0
  private first = 0
  private column = 0
  private base = 0
  private hasMathEnd = true

  constructor(private readonly findings: Findings) {
    this.text = findings.text
  }

  run(start: number): void {
    const { text, findings } = this
    const size = text.length
    let position = start
    while (position < size) {
      const lineFeed = text.indexOf('\n', position)
      const next = lineFeed < 0 ? size : lineFeed + 1
      let end = lineFeed < 0 ? size : lineFeed
      if (end > position && text.charCodeAt(end - 1) === CARRIAGE_RETURN) end--
      // The first line begins before its BOM.
      findings.addLine(position === 1 && start === 1 ? 0 : position)
      this.lineStart = position
      this.lineEnd = end
      if (this.containers.length > 0 || this.leaf > Leaf.Paragraph || !this.takePlainLine()) this.takeLine()
      position = next > this.lineEnd ? next : lineAfter(this.text, this.lineEnd)
    }
    this.closeLeaf()
  }

  /** The common case: outside all containers, a line that begins with a letter is text. */
  private takePlainLine(): boolean {
    const code = this.text.charCodeAt(this.lineStart)
    if (this.lineStart === this.lineEnd || !(code > 127 || isAsciiLetter(code))) return false
    this.addText(this.lineStart)
    return true
  }

  private takeLine(): void {
    const { containers } = this
    const matched = this.matchContainers()
    const isEmpty = this.first === this.lineEnd
    if (this.leaf > Leaf.Paragraph) {
      if (matched === containers.length && this.continueLeaf(isEmpty)) return
      this.closeLeaf()
    }
    if (isEmpty) {
      this.closeLeaf()
      this.closeTo(matched)
      return
    }
    this.openBlocks(matched)
  }

  /** The number of open containers that this line continues; moves `base` to the start of their content. */
  private matchContainers(): number {
    const { text, containers, lineEnd } = this
    this.base = 0
    this.first = this.lineStart
    this.column = 0
    this.skipBlanks()
    let matched = 0
    for (; matched < containers.length; matched++) {
      const width = containers[matched] ?? 0
      if (width === 0) {
        if (this.first === lineEnd || this.column - this.base > 3) break
        if (text.charCodeAt(this.first) !== GREATER) break
        this.passQuoteMark()
      } else if (this.first === lineEnd) {
        if (this.emptyItem === matched + 1) break
      } else {
        if (this.column - this.base < width) break
        this.base += width
      }
    }
    return matched
  }

  /** True when the line belongs to the open fence, code or comment. */
  private continueLeaf(isEmpty: boolean): boolean {
    const { text, findings, lineEnd } = this
    const indent = this.column - this.base
    switch (this.leaf) {
      case Leaf.Fence:
        this.leafEnd = lineEnd
        if (indent < 4 && closesFence(text, this.first, lineEnd, this.fenceCode, this.fenceSize)) this.closeLeaf()
        return true
      case Leaf.IndentedCode:
        if (isEmpty) return true
        if (indent < 4) return false
        this.leafEnd = lineEnd
        return true
      case Leaf.HtmlComment: {
        const close = findings.htmlCommentEnd(this.first)
        this.leafEnd = Math.min(close, lineEnd)
        if (close <= lineEnd) {
          this.closeLeaf()
          this.takeRest(close)
        }
        return true
      }
      default:
        this.leafEnd = lineEnd
        if (rawHtmlEnds(text, this.first, lineEnd)) this.closeLeaf()
        return true
    }
  }

  /** Opens the containers and the leaf that begin on this line; anything else is text. */
  private openBlocks(alreadyMatched: number): void {
    const { text, containers, lineEnd } = this
    this.emptyItem = 0
    let matched = alreadyMatched
    for (;;) {
      const continuesParagraph = this.leaf === Leaf.Paragraph
      const { first } = this
      if (this.column - this.base > 3) {
        if (continuesParagraph) break
        this.closeTo(matched)
        this.open(Leaf.IndentedCode, this.offsetOfColumn(this.base + 4))
        return
      }
      const code = text.charCodeAt(first)
      if (code === GREATER) {
        if (matched >= MAX_DEPTH) break
        this.closeLeaf()
        this.closeTo(matched)
        containers.push(0)
        matched++
        this.passQuoteMark()
        if (this.first === lineEnd) return
        continue
      }
      if (this.openLeaf(code, matched)) return
      const marker = listMarkerLength(text, first, lineEnd, continuesParagraph && matched === containers.length)
      if (marker === 0 || matched >= MAX_DEPTH) break
      this.closeLeaf()
      this.closeTo(matched)
      this.openItem(marker)
      matched++
      if (this.first === lineEnd) return
      if (this.column - this.base > 3) continue
      const taskText = addTask(this.findings, first, this.first, lineEnd)
      if (taskText < 0) continue
      this.addText(taskText)
      return
    }
    if (this.leaf !== Leaf.Paragraph) this.closeTo(matched)
    this.addText(this.first)
  }

  /** Opens (and often closes at once) a leaf block at the line's first character; false when none begins there. */
  private openLeaf(code: number, matched: number): boolean {
    const { text, first, lineEnd } = this
    const isInnermost = matched === this.containers.length
    switch (code) {
      case HASH: {
        const level = atxLevel(text, first, lineEnd)
        if (level === 0) return false
        this.closeLeaf()
        this.closeTo(matched)
        addAtxHeading(this.findings, first, level, lineEnd)
        return true
      }
      case BACKTICK:
      case TILDE: {
        const size = fenceLength(text, first, lineEnd)
        if (size === 0) return false
        this.closeLeaf()
        this.closeTo(matched)
        this.fenceCode = code
        this.fenceSize = size
        this.open(Leaf.Fence, first)
        return true
      }
      case EQUALS:
      case HYPHEN:
        if (this.leaf === Leaf.Paragraph && isInnermost && isUnderline(text, first, lineEnd)) {
          this.leafStart = takeDefinitions(this.findings, this.leafStart, this.leafEnd)
          if (this.leafStart < this.leafEnd) {
            addSetextHeading(this.findings, code === EQUALS ? 1 : 2, this.leafStart, this.leafEnd, lineEnd)
            this.closeLeaf()
            return true
          }
          this.leaf = Leaf.None
        }
        return code === HYPHEN && this.rule(matched)
      case ASTERISK:
      case UNDERSCORE:
        return this.rule(matched)
      case LESS:
        return this.html(matched)
      case DOLLAR:
        return this.mathBlock(matched)
      default:
        return false
    }
  }

  private rule(matched: number): boolean {
    if (!isRule(this.text, this.first, this.lineEnd)) return false
    this.closeLeaf()
    this.closeTo(matched)
    return true
  }

  private html(matched: number): boolean {
    const { text, first, lineEnd } = this
    if (text.startsWith('!--', first + 1)) {
      this.closeLeaf()
      this.closeTo(matched)
      const close = this.findings.htmlCommentEnd(first + 2)
      if (close > lineEnd) this.open(Leaf.HtmlComment, first)
      else {
        this.findings.addRegion('html-comment', first, close)
        this.takeRest(close)
      }
      return true
    }
    if (!opensRawHtml(text, first, lineEnd)) return false
    this.closeLeaf()
    this.closeTo(matched)
    this.open(Leaf.RawHtml, first)
    if (rawHtmlEnds(text, first, lineEnd)) this.closeLeaf()
    return true
  }

  /** `$$` at the start of a line that closes on a later one. (On the same line it is inline math.) */
  private mathBlock(matched: number): boolean {
    const { text, first, lineEnd } = this
    if (!this.hasMathEnd || !text.startsWith('$$', first)) return false
    const close = text.indexOf('$$', first + 2)
    if (close < 0) this.hasMathEnd = false
    if (close < lineEnd) return false
    this.closeLeaf()
    this.closeTo(matched)
    const { findings } = this
    for (let line = lineAfter(this.text, lineEnd); line <= close; line = lineAfter(this.text, line)) {
      findings.addLine(line)
      this.lineStart = line
    }
    findings.addRegion('math', first, close + 2)
    this.lineEnd = endOfLine(this.text, close)
    this.takeRest(close + 2)
    return true
  }

  /** Reads the text after a block that ended within its line. */
  private takeRest(start: number): void {
    let position = start
    while (position < this.lineEnd && isBlank(this.text.charCodeAt(position))) position++
    if (position < this.lineEnd) this.addText(position)
  }

  private openItem(marker: number): void {
    const markerColumn = this.column + marker
    this.first += marker
    this.column = markerColumn
    this.skipBlanks()
    const isEmpty = this.first === this.lineEnd
    const padding = this.column - markerColumn
    const content = isEmpty || padding > 4 ? markerColumn + 1 : this.column
    this.containers.push(content - this.base)
    this.base = content
    this.emptyItem = isEmpty ? this.containers.length : 0
  }

  private addText(start: number): void {
    if (this.leaf !== Leaf.Paragraph) {
      this.open(Leaf.Paragraph, start)
      this.tableStart = -1
    } else {
      if (this.tableStart < 0 && this.mayBorderTable(start)) this.tableStart = this.lastLineStart
      this.leafEnd = this.lineEnd
    }
    this.lastLineStart = start
  }

  private mayBorderTable(start: number): boolean {
    const code = this.text.charCodeAt(start)
    return (code === PIPE || code === HYPHEN || code === COLON) && isTableBorder(this.text, start, this.lineEnd)
  }

  private open(leaf: Leaf, start: number): void {
    this.leaf = leaf
    this.leafStart = start
    this.leafEnd = this.lineEnd
    this.emptyItem = 0
  }

  private closeLeaf(): void {
    const { leaf, leafStart, leafEnd, findings } = this
    this.leaf = Leaf.None
    if (leaf === Leaf.Paragraph) scanParagraph(findings, leafStart, leafEnd, this.tableStart)
    else if (leaf === Leaf.Fence) findings.addRegion('fence', leafStart, leafEnd)
    else if (leaf === Leaf.IndentedCode) findings.addRegion('indented-code', leafStart, leafEnd)
    else if (leaf === Leaf.HtmlComment) findings.addRegion('html-comment', leafStart, leafEnd)
    else if (leaf === Leaf.RawHtml) findings.addRegion('html', leafStart, leafEnd)
  }

  private closeTo(depth: number): void {
    if (this.containers.length <= depth) return
    this.closeLeaf()
    this.containers.length = depth
    if (this.emptyItem > depth) this.emptyItem = 0
  }

  private passQuoteMark(): void {
    this.first++
    this.column++
    this.base = this.column
    if (this.first < this.lineEnd && isBlank(this.text.charCodeAt(this.first))) this.base++
    this.skipBlanks()
  }

  private skipBlanks(): void {
    const { text, lineEnd } = this
    let { first, column } = this
    for (; first < lineEnd; first++) {
      const code = text.charCodeAt(first)
      if (code === SPACE) column++
      else if (code === TAB) column += 4 - (column & 3)
      else break
    }
    this.first = first
    this.column = column
  }

  private offsetOfColumn(goal: number): number {
    let position = this.lineStart
    for (let column = 0; column < goal; position++) {
      column += this.text.charCodeAt(position) === TAB ? 4 - (column & 3) : 1
    }
    return position
  }
}

/** Level of the ATX heading that begins at `start`, or 0. */
function atxLevel(text: string, start: number, end: number): number {
  const after = runEnd(text, start, Math.min(end, start + 7), HASH)
  const level = after - start
  return level <= 6 && (after === end || isBlank(text.charCodeAt(after))) ? level : 0
}

/** Length of the code fence that opens at `start`, or 0. */
function fenceLength(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start)
  const after = runEnd(text, start, end, code)
  if (after - start < 3) return 0
  if (code === BACKTICK) {
    for (let position = after; position < end; position++) if (text.charCodeAt(position) === BACKTICK) return 0
  }
  return after - start
}

function closesFence(text: string, start: number, end: number, code: number, size: number): boolean {
  if (start >= end || text.charCodeAt(start) !== code) return false
  const after = runEnd(text, start, end, code)
  return after - start >= size && blanksEnd(text, after, end) === end
}

/** A line of `=` or `-` alone. */
function isUnderline(text: string, start: number, end: number): boolean {
  return blanksEnd(text, runEnd(text, start, end, text.charCodeAt(start)), end) === end
}

/** A thematic break: three or more of one of `-*_`, with any blanks between. */
function isRule(text: string, start: number, end: number): boolean {
  const mark = text.charCodeAt(start)
  let count = 0
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === mark) count++
    else if (!isBlank(code)) return false
  }
  return count >= 3
}

/**
 * Length of the list marker at `start` (`-`, `12.`), or 0. Only a bullet with text, or a `1` with text, interrupts a
 * paragraph.
 */
function listMarkerLength(text: string, start: number, end: number, interrupts: boolean): number {
  const code = text.charCodeAt(start)
  let after = start + 1
  if (isDigit(code)) {
    while (after < end && after - start < 9 && isDigit(text.charCodeAt(after))) after++
    if (interrupts && !(after === start + 1 && code === 49)) return 0
    const mark = text.charCodeAt(after)
    if (after >= end || (mark !== DOT && mark !== CLOSE_PAREN)) return 0
    after++
  } else if (code !== HYPHEN && code !== PLUS && code !== ASTERISK) return 0
  if (after < end && !isBlank(text.charCodeAt(after))) return 0
  if (interrupts && blanksEnd(text, after, end) === end) return 0
  return after - start
}

/** A table's second row: `|`, `-`, `:` and blanks, with at least one `|` and one `-`. */
function isTableBorder(text: string, start: number, end: number): boolean {
  let hasPipe = false
  let hasHyphen = false
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === PIPE) hasPipe = true
    else if (code === HYPHEN) hasHyphen = true
    else if (code !== COLON && !isBlank(code)) return false
  }
  return hasPipe && hasHyphen
}

const rawTags = ['script', 'style', 'pre', 'textarea']

function opensRawHtml(text: string, start: number, end: number): boolean {
  const name = text.slice(start + 1, start + 10).toLowerCase()
  for (const tag of rawTags) {
    if (!name.startsWith(tag)) continue
    const after = start + 1 + tag.length
    if (after >= end || text.charCodeAt(after) === GREATER || isBlank(text.charCodeAt(after))) return true
  }
  return false
}

function rawHtmlEnds(text: string, start: number, end: number): boolean {
  return /<\/(?:script|style|pre|textarea)>/i.test(text.slice(start, end))
}

function runEnd(text: string, start: number, end: number, code: number): number {
  let position = start
  while (position < end && text.charCodeAt(position) === code) position++
  return position
}

function blanksEnd(text: string, start: number, end: number): number {
  let position = start
  while (position < end && isBlank(text.charCodeAt(position))) position++
  return position
}
