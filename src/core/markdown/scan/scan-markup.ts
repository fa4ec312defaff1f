import {
  APOSTROPHE,
  BACKTICK,
  COLON,
  DOT,
  EQUALS,
  GREATER,
  HYPHEN,
  isAsciiLetter,
  isDigit,
  isWhitespace,
  LESS,
  PLUS,
  QUOTE,
  SLASH,
  UNDERSCORE,
} from './characters.js'
import type { Findings } from './findings.js'

/** A longer tag is read as text: it keeps a page full of unclosed tags linear. */
const MAX_TAG = 2048
const MAX_SCHEME = 32

/** The offset after the HTML comment at `open`; `<!-->` and `<!--->` are whole ones. Infinity when it never ends. */
export function commentEnd(findings: Findings, open: number): number {
  const { text } = findings
  if (text.startsWith('>', open + 4)) return open + 5
  if (text.startsWith('->', open + 4)) return open + 6
  return findings.htmlCommentEnd(open + 4)
}

/** The offset after `<scheme:address>` at `open`, or -1. */
export function autolinkEnd(text: string, open: number, end: number): number {
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
export function tagEnd(text: string, open: number, textEnd: number): number {
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
