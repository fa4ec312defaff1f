export interface Prefix {
  /** How many characters of the line are not words. */
  length: number
  isItem: boolean
  isQuote: boolean
  /** A callout or admonition begins here. */
  isTitle: boolean
}

const quote = /^\s{0,3}(?:>[ \t]?)+/
const item = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?/
const callout = /^\s*\[![^\]\n]{1,40}\][+-]?[ \t]*/
const heading = /^\s{0,3}#{1,6}(?:[ \t]+|$)/
/** As site generators write them: `!!! note "Title"`. */
const admonition = /^\s*(?:!!!|\?\?\?)\+?[ \t]+[\w-]+[ \t]*/

/** The marks before the words of a line. */
export function prefixOf(line: string): Prefix {
  const quoted = quote.exec(line)?.[0].length ?? 0
  const rest = line.slice(quoted)
  const title = callout.exec(rest)?.[0] ?? admonition.exec(rest)?.[0]
  const listed = title === undefined ? item.exec(rest)?.[0] : undefined
  const mark = title ?? listed ?? heading.exec(rest)?.[0] ?? /^\s*/.exec(rest)![0]
  return {
    length: quoted + mark.length,
    isItem: listed !== undefined,
    isQuote: quoted > 0,
    isTitle: title !== undefined,
  }
}
