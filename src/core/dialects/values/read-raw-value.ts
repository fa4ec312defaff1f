import type { Reading, Source } from '../source.js'
import { indexBefore } from './literal-string.js'

export interface RawValueShape {
  /** The value's own closing tag. */
  closer: string
  /** Starts of an element of the same name; it nests. */
  nested: readonly string[]
  limit: number
  /** Whether the grammar can go on behind a closing tag. Called behind it; what it reads is given back. */
  goesOn: () => Reading<boolean>
  /** The closing tags that follow when this is the last value. */
  lastClosers: readonly string[]
  /** Line ends next to the tags belong to the value. */
  isVerbatim?: boolean
  /**
   * Whether what looks nested is the next value, because the closing tag was forgotten. Called before it, with a way to
   * see the value so far; what it reads is given back.
   */
  startsNext?(value: () => string): Reading<boolean>
}

/** Reads text up to its closing tag: the first one that is not nested and behind which the grammar goes on. */
export function* readRawValue(source: Source, shape: RawValueShape): Reading<string | undefined> {
  const { closer, nested, limit } = shape
  const pieces: string[] = []
  let length = 0
  let depth = 0
  const keep = (text: string): void => {
    pieces.push(text)
    length += text.length
  }
  while (yield* source.fill()) {
    // Gives up at the same character however the reply is cut.
    const last = Math.min(source.window.length, source.at + Math.max(0, limit - length) + 1)
    const found = indexBefore(source.window, '<', source.at, last)
    const textEnd = found === -1 ? last : found
    keep(source.window.slice(source.at, textEnd))
    source.at = textEnd
    if (length > limit) return undefined
    if (found === -1) continue
    const end = source.compareNow(closer, true)
    if (end === 'yes' || (end === 'unknown' && (yield* source.sees(closer, true)))) {
      const tag = source.window.slice(source.at, source.at + closer.length)
      source.at += closer.length
      if (depth > 0) depth--
      else if (yield* isSo(source, shape.goesOn)) return layoutOf(shape)(pieces.join(''))
      keep(tag)
      continue
    }
    for (const opener of nested) {
      const start = source.compareNow(opener, true)
      if (start === 'yes' || (start === 'unknown' && (yield* source.sees(opener, true)))) {
        const value = (): string => pieces.join('')
        if (depth === 0 && shape.startsNext && (yield* isSo(source, () => shape.startsNext!(value)))) {
          return withoutLayout(value())
        }
        depth++
        break
      }
    }
    keep('<')
    source.at++
  }
  return unpaired(pieces.join(''), shape)
}

/** Asks about what follows without reading it. */
function* isSo(source: Source, question: () => Reading<boolean>): Reading<boolean> {
  const mark = source.mark()
  const answer = yield* question()
  source.rewind(mark)
  return answer
}

/** A tag of the same name was only mentioned: if the closers come once, at the very end, there is one reading. */
function unpaired(text: string, shape: RawValueShape): string | undefined {
  const { closer, lastClosers } = shape
  const ending = [closer, ...lastClosers].map((tag) => tag.replace(/[^\w]/g, '\\$&')).join('\\s*')
  const found = new RegExp(ending, 'i').exec(text)
  if (!found || text.slice(found.index + found[0].length).trim() !== '') return undefined
  return layoutOf(shape)(text.slice(0, found.index))
}

const layoutOf = ({ isVerbatim }: RawValueShape) => (isVerbatim ? (text: string) => text : withoutLayout)

/** One line end behind the opening tag and one before the closing tag belong to the layout. */
export function withoutLayout(text: string): string {
  const start = text.startsWith('\r\n') ? 2 : text.startsWith('\n') ? 1 : 0
  const end = text.endsWith('\r\n') ? 2 : text.endsWith('\n') ? 1 : 0
  return text.slice(start, Math.max(start, text.length - end))
}
