import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

/** Pixels above and below the visible part that are drawn too. */
const margin = 400

interface VirtualListProps<Row> {
  label: string
  class: string
  rows: readonly Row[]
  /** Pixels. */
  heightOf: (row: Row) => number
  keyOf: (row: Row) => string
  /** Position of the row to keep in view; -1 for none. */
  shown: number
  children: (row: Row) => ComponentChildren
}

/** A list of any length of which only the visible rows are drawn. */
export function VirtualList<Row>({
  label,
  class: name,
  rows,
  heightOf,
  keyOf,
  shown,
  children,
}: VirtualListProps<Row>) {
  const list = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })
  const tops = useMemo(() => {
    const tops = [0]
    for (const row of rows) tops.push(tops[tops.length - 1]! + heightOf(row))
    return tops
  }, [rows])

  const look = () => {
    // An observer may call after the list was removed.
    if (list.current === null) return
    const { scrollTop, clientHeight } = list.current
    // Rows far beyond the edges are drawn already, so small movements need no drawing.
    setView((now) =>
      Math.abs(now.top - scrollTop) < margin / 2 && now.height === clientHeight
        ? now
        : { top: scrollTop, height: clientHeight },
    )
  }
  useEffect(() => {
    const observer = new ResizeObserver(look)
    observer.observe(list.current!)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (shown < 0) return
    const { scrollTop, clientHeight } = list.current!
    const [top, end] = [tops[shown]!, tops[shown + 1]!]
    if (top < scrollTop) list.current!.scrollTop = top
    else if (end > scrollTop + clientHeight) list.current!.scrollTop = end - clientHeight
    look()
  }, [shown, tops])

  // A focused row that is no longer drawn leaves the focus to the list at once, so that no key is lost.
  useLayoutEffect(() => {
    const { activeElement, body } = list.current!.ownerDocument
    if (activeElement === body) list.current!.focus({ preventScroll: true })
  })

  const first = Math.max(0, indexAt(tops, view.top - margin))
  const last = Math.min(rows.length, indexAt(tops, view.top + view.height + margin) + 1)
  return (
    <div class={`nw-virtual ${name}`} role="group" aria-label={label} tabIndex={-1} ref={list} onScroll={look}>
      <div style={{ height: `${tops[rows.length]}px` }}>
        {rows.slice(first, last).map((row, at) => (
          <div
            key={keyOf(row)}
            class="nw-virtual-row"
            style={{ top: `${tops[first + at]}px`, height: `${heightOf(row)}px` }}
          >
            {children(row)}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The row at a height, by bisection. */
function indexAt(tops: readonly number[], height: number): number {
  let [low, high] = [0, tops.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (tops[middle]! <= height) low = middle
    else high = middle - 1
  }
  return low
}
