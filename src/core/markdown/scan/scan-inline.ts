import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  DOLLAR,
  DOT,
  EQUALS,
  EXCLAMATION,
  GREATER,
  HASH,
  HYPHEN,
  isAsciiLetter,
  isAsciiPunctuation,
  isDigit,
  isWhitespace,
  isWidePunctuation,
  LESS,
  LINE_FEED,
  OPEN_BRACKET,
  OPEN_PAREN,
  PERCENT,
  PIPE,
  PLUS,
  QUOTE,
  SLASH,
  UNDERSCORE,
} from './characters.js'
import type { Findings } from './findings.js'
import { type LinkParts, readInlineLink, readWikilink } from './scan-link.js'

interface InlineRange {
  start: number
  end: number
  /** A table row: `|` separates its cells, and no code span crosses one. */
  inTable: boolean
}

/** Finds links, tags, code spans, math and comments in the text of one block. */
export function scanInline(findings: Findings, range: InlineRange): void {
  new InlineScan(findings, range).run()
}

/** Characters at which something may begin or end; all others are skipped. */
const special = new Uint8Array(128)
for (const code of [
  EXCLAMATION,
  HASH,
  DOLLAR,
  PERCENT,
  COLON,
  LESS,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  BACKTICK,
]) {
  special[code] = 1
}

class InlineScan {
  private readonly text: string
  private readonly end: number
  /** Open brackets: offset of `[`, negative (complemented) for `![`. */
  private readonly brackets: number[] = []
  /** Link brackets below this height cannot close: they would contain a link inside a link. */
  private inactiveBelow = 0
  /** Last offset of a backtick run by its length; set once a search has failed. */
  private lastRuns: Map<number, number> | undefined

  constructor(
    private readonly findings: Findings,
    private readonly range: InlineRange,
  ) {
    this.text = findings.text
    this.end = range.end
  }

  run(): void {
    const { text, end } = this
    let position = this.range.start
    while (position < end) {
      const code = text.charCodeAt(position)
      if (code > 127 || special[code] === 0) {
        position++
        continue
      }
      position = this.at(position, code)
    }
  }

  /** Handles the special character at `position`; returns the offset to continue at. */
  private at(position: number, code: number): number {
    const { text } = this
    switch (code) {
      case OPEN_BRACKET:
        return this.openBracket(position, false)
      case EXCLAMATION:
        if (position + 1 < this.end && text.charCodeAt(position + 1) === OPEN_BRACKET) {
          return this.openBracket(position + 1, true)
        }
        return position + 1
      case CLOSE_BRACKET:
        return this.closeBracket(position)
      case BACKSLASH:
        return isAsciiPunctuation(text.charCodeAt(position + 1)) ? position + 2 : position + 1
      case BACKTICK:
        return this.codeSpan(position)
      case LESS:
        return this.markup(position)
      case HASH:
        return this.tag(position)
      case COLON:
        return this.bareUrl(position)
      case DOLLAR:
        return this.math(position)
      case PERCENT:
        return this.comment(position)
      default:
        return position + 1
    }
  }

  private openBracket(position: number, isImage: boolean): number {
    const { text } = this
    if (text.charCodeAt(position + 1) === OPEN_BRACKET && text.charCodeAt(position + 2) !== OPEN_BRACKET) {
      const link = readWikilink(text, position, this.end)
      if (link !== undefined) {
        // An escaped `\!` before `[[` is text, not an embed's mark.
        if (!isImage && link.kind === 'embed') Object.assign(link, asPlainWikilink(text, link))
        this.add(link)
        return link.end
      }
    }
    this.brackets.push(isImage ? ~position : position)
    return position + 1
  }

  private closeBracket(position: number): number {
    const { text, brackets } = this
    const bracket = brackets.pop()
    if (bracket === undefined) return position + 1
    const isImage = bracket < 0
    const isInactive = !isImage && brackets.length < this.inactiveBelow
    if (this.inactiveBelow > brackets.length) this.inactiveBelow = brackets.length
    if (isInactive || position + 1 >= this.end || text.charCodeAt(position + 1) !== OPEN_PAREN) return position + 1

    const link = readInlineLink(text, isImage ? ~bracket : bracket, position, this.end, isImage)
    if (link === undefined) return position + 1
    if (!isImage) this.inactiveBelow = brackets.length
    if (link.target !== '' || link.subpath !== undefined) this.add(link)
    return link.end
  }

  private add(parts: LinkParts): void {
    const link = parts as LinkParts & { line: number }
    link.line = this.findings.lineOf(parts.start)
    if (this.range.inTable) link.inTable = true
    this.findings.links.push(link)
  }

  private codeSpan(open: number): number {
    const { text, end } = this
    const size = runLength(text, open, end)
    const after = open + size
    if (this.lastRuns !== undefined && !((this.lastRuns.get(size) ?? -1) > open)) return after

    const runs = this.lastRuns === undefined ? new Map<number, number>() : undefined
    let position = text.indexOf('`', after)
    while (position >= 0 && position < end) {
      const length = runLength(text, position, end)
      if (length === size) {
        if (this.range.inTable && hasCellBorder(text, after, position)) return after
        this.findings.addRegion('code-span', open, position + length)
        return position + length
      }
      runs?.set(length, position)
      position = text.indexOf('`', position + length)
    }
    this.lastRuns ??= runs
    return after
  }

  private markup(open: number): number {
    const { text, end } = this
    if (text.startsWith('!--', open + 1)) {
      const close = commentEnd(this.findings, open)
      if (close > end) return open + 1
      this.findings.addRegion('html-comment', open, close)
      return close
    }
    const url = autolinkEnd(text, open, end)
    if (url > 0) {
      const target = text.slice(open + 1, url - 1)
      const targetSpan = { start: open + 1, end: url - 1 }
      const raw = text.slice(open, url)
      this.add({ kind: 'external', syntax: 'autolink', start: open, end: url, raw, target, targetSpan })
      return url
    }
    const tag = tagEnd(text, open, end)
    return tag > 0 ? tag : open + 1
  }

  private tag(hash: number): number {
    const { text, end } = this
    if (hash > this.range.start && !mayPrecedeTag(text.charCodeAt(hash - 1))) return hash + 1
    const nameEnd = tagNameEnd(text, hash + 1, end)
    if (nameEnd < 0) return hash + 1
    this.findings.tags.push({
      name: text.slice(hash + 1, nameEnd),
      from: 'inline',
      start: hash,
      end: nameEnd,
      line: this.findings.lineOf(hash),
    })
    return nameEnd
  }

  private bareUrl(colon: number): number {
    const { text } = this
    const start = bareUrlStart(text, this.range.start, colon)
    if (start < 0) return colon + 1
    const end = bareUrlEnd(text, colon + 3, this.end)
    if (end <= colon + 3) return colon + 1
    // Inside brackets it is most likely the text of a link.
    if (this.brackets.length === 0) {
      const target = text.slice(start, end)
      this.add({ kind: 'external', syntax: 'autolink', start, end, raw: target, target, targetSpan: { start, end } })
    }
    return end
  }

  private math(open: number): number {
    const { text, end } = this
    if (text.charCodeAt(open + 1) === DOLLAR) {
      const close = text.indexOf('$$', open + 2)
      if (close < 0 || close + 2 > end) return open + 2
      this.findings.addRegion('math', open, close + 2)
      return close + 2
    }
    if (open + 1 >= end || isWhitespace(text.charCodeAt(open + 1))) return open + 1
    for (let position = open + 1; position < end; position++) {
      const code = text.charCodeAt(position)
      if (code === LINE_FEED) return open + 1
      if (code === BACKSLASH) position++
      else if (code === DOLLAR) {
        // The rule of Obsidian and Pandoc, so that "$5 and $6" is money.
        if (isWhitespace(text.charCodeAt(position - 1)) || isDigit(text.charCodeAt(position + 1))) return open + 1
        this.findings.addRegion('math', open, position + 1)
        return position + 1
      }
    }
    return open + 1
  }

  /** `%%` opens or closes a comment, which may span blocks. */
  private comment(position: number): number {
    if (this.text.charCodeAt(position + 1) !== PERCENT) return position + 1
    const { findings } = this
    if (findings.commentStart < 0) findings.commentStart = position
    else {
      findings.addRegion('comment', findings.commentStart, position + 2)
      findings.commentStart = -1
    }
    return position + 2
  }
}

function runLength(text: string, start: number, end: number): number {
  let position = start + 1
  while (position < end && text.charCodeAt(position) === BACKTICK) position++
  return position - start
}

function hasCellBorder(text: string, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    if (text.charCodeAt(position) === PIPE && text.charCodeAt(position - 1) !== BACKSLASH) return true
  }
  return false
}

function asPlainWikilink(text: string, link: LinkParts): Partial<LinkParts> {
  return { kind: 'wikilink', start: link.start + 1, raw: text.slice(link.start + 1, link.end) }
}

/** A longer tag is read as text, so that a page full of unclosed tags takes linear time. */
const MAX_TAG = 2048
const MAX_SCHEME = 32

/** The offset after the HTML comment at `open`; `<!-->` and `<!--->` are complete ones. Infinity when it never ends. */
function commentEnd(findings: Findings, open: number): number {
  const { text } = findings
  if (text.startsWith('>', open + 4)) return open + 5
  if (text.startsWith('->', open + 4)) return open + 6
  return findings.htmlCommentEnd(open + 4)
}

/** The offset after `<scheme:address>` at `open`, or -1. */
function autolinkEnd(text: string, open: number, end: number): number {
  let position = open + 1
  if (position >= end || !isAsciiLetter(text.charCodeAt(position))) return -1
  for (position++; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === COLON) break
    if (!isAsciiLetter(code) && !isDigit(code) && code !== PLUS && code !== HYPHEN && code !== DOT) return -1
    if (position - open > MAX_SCHEME) return -1
  }
  if (position - open < 3) return -1
  const address = ++position
  for (; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === GREATER) return position > address ? position + 1 : -1
    if (code <= 32 || code === LESS) return -1
  }
  return -1
}

/** The offset after the HTML tag at `open`, or -1. */
function tagEnd(text: string, open: number, textEnd: number): number {
  const end = Math.min(textEnd, open + MAX_TAG)
  const isClosing = text.charCodeAt(open + 1) === SLASH
  let position = isClosing ? open + 2 : open + 1
  if (position >= end || !isAsciiLetter(text.charCodeAt(position))) return -1
  while (position < end && isTagNamePart(text.charCodeAt(position))) position++
  for (;;) {
    const afterSpace = skipWhitespace(text, position, end)
    if (afterSpace >= end) return -1
    const code = text.charCodeAt(afterSpace)
    if (code === GREATER) return afterSpace + 1
    if (isClosing) return -1
    if (code === SLASH)
      return text.charCodeAt(afterSpace + 1) === GREATER && afterSpace + 2 <= end ? afterSpace + 2 : -1
    if (afterSpace === position || !(isAsciiLetter(code) || code === UNDERSCORE || code === COLON)) return -1
    position = attributeEnd(text, afterSpace, end)
    if (position < 0) return -1
  }
}

function attributeEnd(text: string, start: number, end: number): number {
  let position = start + 1
  while (position < end && isAttributeNamePart(text.charCodeAt(position))) position++
  const equals = skipWhitespace(text, position, end)
  if (equals >= end || text.charCodeAt(equals) !== EQUALS) return position
  const value = skipWhitespace(text, equals + 1, end)
  if (value >= end) return -1
  const quote = text.charCodeAt(value)
  if (quote === QUOTE || quote === APOSTROPHE) {
    for (position = value + 1; position < end; position++) {
      if (text.charCodeAt(position) === quote) return position + 1
    }
    return -1
  }
  position = value
  while (position < end && isUnquotedValuePart(text.charCodeAt(position))) position++
  return position > value ? position : -1
}

function isTagNamePart(code: number): boolean {
  return isAsciiLetter(code) || isDigit(code) || code === HYPHEN || code === UNDERSCORE
}

function isAttributeNamePart(code: number): boolean {
  return isTagNamePart(code) || code === DOT || code === COLON
}

function isUnquotedValuePart(code: number): boolean {
  return (
    !isWhitespace(code) &&
    code !== QUOTE &&
    code !== APOSTROPHE &&
    code !== EQUALS &&
    code !== LESS &&
    code !== GREATER &&
    code !== BACKTICK
  )
}

function skipWhitespace(text: string, start: number, end: number): number {
  let position = start
  while (position < end && isWhitespace(text.charCodeAt(position))) position++
  return position
}

/** The offset of `http` or `https` before the `://` at `colon`, or -1. */
function bareUrlStart(text: string, from: number, colon: number): number {
  if (!text.startsWith('//', colon + 1)) return -1
  const start = text.charCodeAt(colon - 1) === 115 ? colon - 5 : colon - 4
  if (start < from || !/^https?$/.test(text.slice(start, colon))) return -1
  if (start > from) {
    const before = text.charCodeAt(start - 1)
    if (isAsciiLetter(before) || isDigit(before)) return -1
  }
  return start
}

/** The end of a URL without brackets: before space, quotes, brackets, and punctuation that ends a sentence. */
function bareUrlEnd(text: string, start: number, end: number): number {
  let position = start
  let depth = 0
  for (; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code <= 32 || endsUrl(code) || (code > 127 && isWidePunctuation(code))) break
    if (code === OPEN_PAREN) depth++
    else if (code === CLOSE_PAREN && --depth < 0) break
  }
  while (position > start && isTrailingPunctuation(text.charCodeAt(position - 1))) position--
  return position
}

function endsUrl(code: number): boolean {
  // " < > [ \ ] ^ ` { | }
  return (
    code === 34 ||
    code === 60 ||
    code === 62 ||
    (code >= 91 && code <= 94) ||
    code === 96 ||
    (code >= 123 && code < 126)
  )
}

function isTrailingPunctuation(code: number): boolean {
  // ! ' * , . : ; ? _ ~
  return (
    code === 33 ||
    code === 39 ||
    code === 42 ||
    code === 44 ||
    code === 46 ||
    code === 58 ||
    code === 59 ||
    code === 63 ||
    code === 95 ||
    code === 126
  )
}

/** True if a `#` after this character can begin a tag: after space and most punctuation, not inside a word or an address. */
function mayPrecedeTag(code: number): boolean {
  if (code > 127) return isWidePunctuation(code)
  return precedesTag[code] === 1
}

const precedesTag = new Uint8Array(128)
for (const character of '\t\n\r !"\'()*,.;<>?[]{|}~') precedesTag[character.charCodeAt(0)] = 1

/** The end of the tag name at `start`, or -1 when it is empty or a number. */
function tagNameEnd(text: string, start: number, end: number): number {
  let position = start
  let isNumber = true
  for (; position < end; position++) {
    const code = text.charCodeAt(position)
    if (!isTagPart(code)) break
    if (!isDigit(code) && code !== SLASH) isNumber = false
  }
  while (position > start && text.charCodeAt(position - 1) === SLASH) position--
  return isNumber ? -1 : position
}

function isTagPart(code: number): boolean {
  if (code > 127) return !isWidePunctuation(code)
  return isAsciiLetter(code) || isDigit(code) || code === HYPHEN || code === UNDERSCORE || code === SLASH
}
