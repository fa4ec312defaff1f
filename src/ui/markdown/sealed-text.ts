import { blockStarts } from './read-markdown.js'

/** A text that grows: blocks that no further word can change, and the end that is still being written. */
export interface SealedText {
  /** All that has come. */
  text: string
  sealed: readonly string[]
  /** How many characters are sealed. */
  length: number
}

export const nothingSealed: SealedText = { text: '', sealed: [], length: 0 }

/** Goes on with a text that has grown, looking only at what is not sealed; begins anew where it is another text. */
export function sealText(text: string, known: SealedText = nothingSealed): SealedText {
  const { sealed, length } = text.startsWith(known.text) ? known : nothingSealed
  // A line that is not complete can still turn out to belong to the block before it.
  const lines = text.slice(length, text.lastIndexOf('\n') + 1)
  const starts = blockStarts(lines)
  if (starts.length < 2) return { text, sealed, length }
  const fresh = starts.slice(0, -1).map((start, at) => lines.slice(at === 0 ? 0 : start, starts[at + 1]))
  return { text, sealed: [...sealed, ...fresh], length: length + starts[starts.length - 1] }
}

/** What may still change. */
export const liveTail = ({ text, length }: SealedText): string => text.slice(length)
