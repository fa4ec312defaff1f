import type { Span } from '../../markdown/index.js'

/** Stretches of a text, overlapping ones made one, in order. */
export interface SpanSet {
  spans: readonly Span[]
}

export function spanSet(given: Iterable<Span>): SpanSet {
  const spans: Span[] = []
  for (const { start, end } of [...given].sort((one, other) => one.start - other.start)) {
    const last = spans.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else spans.push({ start, end })
  }
  return { spans }
}

export function outside({ spans }: SpanSet, offset: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle].start <= offset) low = middle + 1
    else high = middle
  }
  return low === 0 || offset >= spans[low - 1].end
}
