import { Failure } from '../../errors.js'
import { charactersFor } from '../../text/index.js'

export interface TextPart {
  text: string
  part: number
  parts: number
}

const longestEver = 20_000

/** One part of a long text, cut where a paragraph, a line or a word ends. */
export function textPart(text: string, part: number, room?: number): TextPart {
  const longest = room === undefined ? longestEver : Math.min(longestEver, charactersFor(text, room))
  const parts = partsOf(text, longest)
  if (part > parts.length) {
    throw new Failure('not-found', `There is no part ${part}: it has ${parts.length}.`)
  }
  return { text: parts[part - 1], part, parts: parts.length }
}

/** Says which part this is, and that there are more. */
export function partNote({ part, parts }: Omit<TextPart, 'text'>): string | undefined {
  if (parts === 1) return undefined
  return part < parts
    ? `(Part ${part} of ${parts}; ask for part ${part + 1} to go on.)`
    : `(Part ${part} of ${parts}, the last.)`
}

function partsOf(text: string, longest: number): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + longest >= text.length ? text.length : cutBefore(text, start, longest)
    parts.push(text.slice(start, end).trim())
    start = end
  }
  return parts.length === 0 ? [''] : parts
}

function cutBefore(text: string, start: number, longest: number): number {
  const limit = start + longest
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, limit)
    if (at > start + longest / 2) return at
  }
  // Not between the halves of a character.
  return /[\ud800-\udbff]/.test(text[limit - 1]) ? limit - 1 : limit
}
