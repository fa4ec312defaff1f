import type { NoteLink, Span } from '../scanned-note.js'
import {
  APOSTROPHE,
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  EXCLAMATION,
  GREATER,
  HASH,
  isAsciiLetter,
  isAsciiPunctuation,
  isBlank,
  isDigit,
  isWhitespace,
  LESS,
  LINE_FEED,
  OPEN_BRACKET,
  OPEN_PAREN,
  PIPE,
  QUOTE,
} from './characters.js'

/** A parsed link; the caller adds the line. */
export type LinkParts = Omit<NoteLink, 'line'>

/** Deeper parentheses in a destination are no link, so that `](((…` takes linear time. */
const MAX_PARENTHESES = 32
const MAX_LABEL = 999

/** Reads the wikilink whose `[[` is at `open`; undefined when it does not close before `end` or the line's end. */
export function readWikilink(text: string, open: number, end: number): LinkParts | undefined {
  const inner = open + 2
  let pipe = -1
  let hash = -1
  let close = inner
  for (; ; close++) {
    if (close + 1 >= end) return undefined
    const code = text.charCodeAt(close)
    if (code === CLOSE_BRACKET) {
      if (text.charCodeAt(close + 1) === CLOSE_BRACKET) break
    } else if (code === OPEN_BRACKET) {
      // In nested brackets the inner link counts.
      if (text.charCodeAt(close + 1) === OPEN_BRACKET) return undefined
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) return undefined
    else if (pipe < 0) {
      if (code === PIPE) pipe = close
      else if (code === HASH && hash < 0) hash = close
    }
  }

  const escapedPipe = pipe > inner && text.charCodeAt(pipe - 1) === BACKSLASH
  const pathEnd = pipe < 0 ? close : escapedPipe ? pipe - 1 : pipe
  const targetSpan = trimmed(text, inner, hash < 0 ? pathEnd : hash)
  const isEmbed = text.charCodeAt(open - 1) === EXCLAMATION
  const subpath = hash < 0 ? '' : text.slice(hash, pathEnd).trimEnd()
  if (targetSpan.start === targetSpan.end && subpath.length < 2) return undefined
  const start = isEmbed ? open - 1 : open
  const link: LinkParts = {
    kind: isEmbed ? 'embed' : 'wikilink',
    syntax: 'wiki',
    start,
    end: close + 2,
    raw: text.slice(start, close + 2),
    target: text.slice(targetSpan.start, targetSpan.end),
    targetSpan,
  }
  if (subpath.length > 1) {
    link.subpath = subpath
    link.subpathSpan = { start: hash, end: hash + subpath.length }
  }
  if (pipe >= 0) link.display = text.slice(pipe + 1, close)
  if (escapedPipe) link.inTable = true
  return link
}

/** Reads `(destination "title")` after the link text between `open` and `close`. */
export function readInlineLink(
  text: string,
  open: number,
  close: number,
  end: number,
  isImage: boolean,
): LinkParts | undefined {
  const destination = readDestination(text, skipSpace(text, close + 2, end), end)
  if (destination === undefined) return undefined
  let position = skipSpace(text, destination.after, end)
  if (position > destination.after && position < end) {
    const titleEnd = readTitle(text, position, end)
    if (titleEnd >= 0) position = skipSpace(text, titleEnd, end)
  }
  if (position >= end || text.charCodeAt(position) !== CLOSE_PAREN) return undefined
  const start = isImage ? open - 1 : open
  return {
    kind: isExternal(text, destination.start, destination.end) ? 'external' : isImage ? 'embed' : 'markdown',
    syntax: 'inline',
    start,
    end: position + 1,
    raw: text.slice(start, position + 1),
    display: text.slice(open + 1, close),
    ...readTarget(text, destination),
  }
}

/** Reads `[label]: destination "title"` at `open`, a block's start. `after` is the start of the next line. */
export function readDefinition(
  text: string,
  open: number,
  end: number,
): { link: LinkParts; after: number } | undefined {
  const close = readLabel(text, open, end)
  if (close < 0 || text.charCodeAt(close + 1) !== 58) return undefined
  const destination = readDestination(text, skipSpace(text, close + 2, end), end)
  if (destination === undefined) return undefined
  let last = destination.after
  const titleStart = skipSpace(text, last, end)
  if (titleStart > last && titleStart < end) {
    const titleEnd = readTitle(text, titleStart, end)
    if (titleEnd >= 0 && restIsBlank(text, titleEnd, end)) last = titleEnd
  }
  if (!restIsBlank(text, last, end)) return undefined
  const lineFeed = text.indexOf('\n', last)
  return {
    link: {
      kind: isExternal(text, destination.start, destination.end) ? 'external' : 'reference',
      syntax: 'definition',
      start: open,
      end: last,
      raw: text.slice(open, last),
      display: text.slice(open + 1, close),
      ...readTarget(text, destination),
    },
    after: lineFeed < 0 || lineFeed >= end ? end : lineFeed + 1,
  }
}

/** True if a destination is outside the vault: it has a scheme of two letters or more, or begins with `//`. */
function isExternal(text: string, start: number, end: number): boolean {
  let position = start
  if (text.charCodeAt(position) === 47 && text.charCodeAt(position + 1) === 47) return true
  if (!isAsciiLetter(text.charCodeAt(position))) return false
  for (position++; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === 58) return position - start >= 2
    if (!isAsciiLetter(code) && !isDigit(code) && code !== 43 && code !== 45 && code !== 46) return false
  }
  return false
}

interface Destination extends Span {
  after: number
  angled: boolean
}

function readDestination(text: string, start: number, end: number): Destination | undefined {
  if (start >= end) return undefined
  if (text.charCodeAt(start) === LESS) {
    for (let position = start + 1; position < end; position++) {
      const code = text.charCodeAt(position)
      if (code === GREATER) {
        return position === start + 1
          ? undefined
          : { start: start + 1, end: position, after: position + 1, angled: true }
      }
      if (code === LINE_FEED || code === LESS) return undefined
      if (code === BACKSLASH && isAsciiPunctuation(text.charCodeAt(position + 1))) position++
    }
    return undefined
  }
  let depth = 0
  let position = start
  for (; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code <= 32) break
    if (code === OPEN_PAREN) {
      if (++depth > MAX_PARENTHESES) return undefined
    } else if (code === CLOSE_PAREN) {
      if (depth === 0) break
      depth--
    } else if (code === BACKSLASH && position + 1 < end && isAsciiPunctuation(text.charCodeAt(position + 1))) position++
  }
  return position === start || depth > 0 ? undefined : { start, end: position, after: position, angled: false }
}

/** The offset after a title, or -1. */
function readTitle(text: string, start: number, end: number): number {
  const open = text.charCodeAt(start)
  if (open !== QUOTE && open !== APOSTROPHE && open !== OPEN_PAREN) return -1
  const close = open === OPEN_PAREN ? CLOSE_PAREN : open
  for (let position = start + 1; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === close) return position + 1
    if (code === OPEN_PAREN && open === OPEN_PAREN) return -1
    if (code === BACKSLASH) position++
  }
  return -1
}

/** The offset of the `]` that closes a definition's label, or -1. */
function readLabel(text: string, open: number, end: number): number {
  const limit = Math.min(end, open + 1 + MAX_LABEL)
  let blank = true
  for (let position = open + 1; position < limit; position++) {
    const code = text.charCodeAt(position)
    if (code === CLOSE_BRACKET) return blank ? -1 : position
    if (code === OPEN_BRACKET) return -1
    if (code === BACKSLASH) position++
    if (!isWhitespace(code)) blank = false
  }
  return -1
}

type TargetParts = Pick<LinkParts, 'target' | 'targetSpan' | 'beforeQuery' | 'subpath' | 'subpathSpan' | 'angled'>

function readTarget(text: string, { start, end, angled }: Destination): TargetParts {
  const written = text.slice(start, end)
  const isOutside = isExternal(text, start, end)
  const hash = isOutside ? -1 : written.indexOf('#')
  const path = hash < 0 ? written : written.slice(0, hash)
  const parts: TargetParts = {
    target: decode(path),
    targetSpan: { start, end: start + path.length },
  }
  const query = isOutside ? -1 : path.indexOf('?')
  if (query >= 0) {
    parts.beforeQuery = { target: decode(path.slice(0, query)), targetSpan: { start, end: start + query } }
  }
  if (hash >= 0 && hash + 1 < written.length) {
    parts.subpath = decode(written.slice(hash))
    parts.subpathSpan = { start: start + hash, end }
  }
  if (angled) parts.angled = true
  return parts
}

/** Undoes backslash escapes and one level of percent-encoding; a malformed sequence stays as written. */
function decode(written: string): string {
  const plain = written.includes('\\') ? written.replace(/\\([!-/:-@[-`{-~])/g, '$1') : written
  if (!plain.includes('%')) return plain
  try {
    return decodeURIComponent(plain)
  } catch {
    // A malformed sequence stays as written.
    return plain
  }
}

/** Skips spaces and at most one line break. */
function skipSpace(text: string, start: number, end: number): number {
  let position = start
  while (position < end && isBlank(text.charCodeAt(position))) position++
  if (position < end && text.charCodeAt(position) === CARRIAGE_RETURN) position++
  if (position >= end || text.charCodeAt(position) !== LINE_FEED) return position
  position++
  while (position < end && isBlank(text.charCodeAt(position))) position++
  return position
}

function restIsBlank(text: string, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === LINE_FEED) return true
    if (!isWhitespace(code)) return false
  }
  return true
}

function trimmed(text: string, start: number, end: number): Span {
  let from = start
  let to = end
  while (from < to && isWhitespace(text.charCodeAt(from))) from++
  while (to > from && isWhitespace(text.charCodeAt(to - 1))) to--
  return { start: from, end: to }
}
