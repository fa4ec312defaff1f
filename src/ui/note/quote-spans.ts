/** From and to, in one line. */
export type LineSpan = readonly [number, number]

/** Maximum distance of two words of a quotation: marks, and the target of a link, are between them. */
const widestGap = 200

/**
 * Positions of quotations in some lines, line by line. Words must match in order; line breaks and Markdown marks may be
 * in between, since a quotation omits both.
 */
export function quoteSpans(lines: readonly string[], quotes: readonly string[]): LineSpan[][] {
  const text = lines.join('\n')
  const found = quotes
    .map((quote) => spanOf(text, quote))
    .filter((span) => span !== undefined)
    .sort(([a], [b]) => a - b)
  let start = 0
  return lines.map((line) => {
    const spans: LineSpan[] = []
    for (const [from, to] of found) {
      const last = spans[spans.length - 1]
      const span = [Math.max(from - start, last?.[1] ?? 0), Math.min(to - start, line.length)] as const
      if (span[0] < span[1]) spans.push(span)
    }
    start += line.length + 1
    return spans
  })
}

/** The shortest stretch that holds the words one after the other. */
function spanOf(text: string, quote: string): LineSpan | undefined {
  const [first, ...rest]: string[] = quote.match(/[\p{L}\p{N}]+/gu) ?? []
  if (first === undefined) return undefined
  let best: LineSpan | undefined
  for (let from = text.indexOf(first); from !== -1; from = text.indexOf(first, from + 1)) {
    const to = endOf(text, from + first.length, rest)
    if (to !== undefined && (best === undefined || to - from < best[1] - best[0])) best = [from, to]
  }
  return best
}

function endOf(text: string, from: number, words: readonly string[]): number | undefined {
  let end = from
  for (const word of words) {
    const at = text.indexOf(word, end)
    if (at === -1 || at - end > widestGap) return undefined
    end = at + word.length
  }
  return end
}
