import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { type LineSpan, quoteSpans } from './quote-spans.js'
import { wordSpans } from './word-spans.js'

interface Highlighted {
  /** The rendered note, and the passage in it. */
  article: RefObject<HTMLElement | null>
  passage: RefObject<HTMLElement | null>
  quotes?: readonly string[] | undefined
  words?: readonly string[] | undefined
  /** The text that is rendered. */
  text: object
}

/**
 * Marks quotations or words in what is drawn, without changing it: the browser paints the ranges (`::highlight`). The
 * passage, or else the first mark, is scrolled into view. A browser without this feature shows the passage alone.
 */
export function useHighlight({ article, passage, quotes, words, text }: Highlighted): void {
  useLayoutEffect(() => {
    passage.current?.scrollIntoView({ block: 'center' })
    const within = passage.current ?? article.current
    if (within === null || article.current === null) return
    if (quotes?.length) {
      const nodes = textNodes(within)
      const found = quoteSpans(
        nodes.map(({ data }) => data),
        quotes,
      )
      return paint('nw-quote', nodes, found)
    }
    if (!words?.length) return
    const nodes = textNodes(article.current)
    const spans = nodes.map(({ data }) => wordSpans(data, words))
    const first = nodes[spans.findIndex((found) => found.length > 0)]
    if (passage.current === null) first?.parentElement?.scrollIntoView({ block: 'center' })
    return paint('nw-found', nodes, spans)
  }, [text, quotes?.join('\n'), words?.join('\n')])
}

function textNodes(element: Element): Text[] {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) nodes.push(node as Text)
  return nodes
}

function paint(name: string, nodes: readonly Text[], spans: readonly (readonly LineSpan[])[]): () => void {
  if (!('highlights' in CSS)) return () => {}
  const ranges = nodes.flatMap((node, at) =>
    (spans[at] ?? []).map(([from, to]) => {
      const range = node.ownerDocument.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      return range
    }),
  )
  const highlight = new Highlight(...ranges)
  CSS.highlights.set(name, highlight)
  return () => {
    if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name)
  }
}
