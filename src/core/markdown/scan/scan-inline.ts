import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACKET,
  COLON,
  DOLLAR,
  EXCLAMATION,
  HASH,
  isAsciiPunctuation,
  isDigit,
  isWhitespace,
  LESS,
  LINE_FEED,
  OPEN_BRACKET,
  OPEN_PAREN,
  PERCENT,
  PIPE,
} from './characters.js'
import type { Findings } from './findings.js'
import { bareUrlEnd, bareUrlStart } from './scan-bare-url.js'
import { type LinkParts, readInlineLink, readWikilink } from './scan-link.js'
import { autolinkEnd, commentEnd, tagEnd } from './scan-markup.js'
import { mayPrecedeTag, tagNameEnd } from './scan-tag.js'

export interface InlineRange {
  start: number
  end: number
  /** A table row: `|` parts its cells, and no code span reaches across one. */
  inTable: boolean
}

/** Finds links, tags, code spans, math and comments in the text of one block. */
export function scanInline(findings: Findings, range: InlineRange): void {
  new InlineScan(findings, range).run()
}

/** Characters at which something may begin or end; everything else is passed over. */
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
  /** Link brackets below this height cannot close: they would hold a link inside a link. */
  private inactiveBelow = 0
  /** Last offset at which a run of so many backticks begins; known once a search has failed. */
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

  /** Handles the special character at `position`; answers where to go on. */
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
    // Inside brackets it is most likely a link's own text.
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
        // As Obsidian and Pandoc have it, so that "$5 and $6" is money.
        if (isWhitespace(text.charCodeAt(position - 1)) || isDigit(text.charCodeAt(position + 1))) return open + 1
        this.findings.addRegion('math', open, position + 1)
        return position + 1
      }
    }
    return open + 1
  }

  /** `%%` opens or closes a comment, which may reach over blocks. */
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
