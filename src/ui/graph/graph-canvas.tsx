import { useEffect, useMemo, useRef } from 'preact/hooks'
import { count } from '../../core/text/index.js'
import type { NoteGraph } from '../../core/vault-index/index.js'
import { drawGraph } from './draw-graph.js'
import { forceLayout, rest } from './force-layout.js'
import { fitted, moved, nearest, type Viewport, zoomed } from './viewport.js'

/** So long notes are moved before a frame is drawn. */
const stepMs = 8
/** A pointer that moved less has clicked. */
const clickPixels = 4

export interface GraphCanvasProps {
  graph: NoteGraph
  marked: number
  onMark: (at: number) => void
  onOpen: (at: number) => void
}

/** The picture of a graph, for those who see it. Everything it shows and does, the list beside it says and does too. */
export function GraphCanvas({ graph, marked, onMark, onOpen }: GraphCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const picture = useMemo(() => movingPicture(graph), [graph])
  picture.marked = marked
  useEffect(() => picture.show(canvas.current as HTMLCanvasElement), [picture])
  useEffect(() => picture.draw(), [marked])
  const drag = useRef<{ x: number; y: number; far: number } | undefined>(undefined)
  const middle = () => ({ x: picture.size.width / 2, y: picture.size.height / 2 })
  return (
    <div class="nw-graph-picture">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${count(graph.nodes.length, 'note')} and ${count(graph.links.length, 'link')}, as in the list below`}
        onPointerDown={(event) => {
          drag.current = { x: event.offsetX, y: event.offsetY, far: 0 }
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={(event) => {
          const { offsetX: x, offsetY: y } = event
          const from = drag.current
          if (from === undefined) return onMark(picture.noteAt({ x, y }))
          from.far += Math.abs(x - from.x) + Math.abs(y - from.y)
          picture.look(moved(picture.view, x - from.x, y - from.y))
          Object.assign(from, { x, y })
        }}
        onPointerUp={(event) => {
          const at = picture.noteAt({ x: event.offsetX, y: event.offsetY })
          if (drag.current && drag.current.far < clickPixels && at >= 0) onOpen(at)
          drag.current = undefined
        }}
        onPointerCancel={() => {
          drag.current = undefined
        }}
        onPointerLeave={() => onMark(-1)}
      />
      <p class="nw-choices">
        <button type="button" onClick={() => picture.look(zoomed(picture.view, 1.4, middle(), picture.size))}>
          Larger
        </button>
        <button type="button" onClick={() => picture.look(zoomed(picture.view, 1 / 1.4, middle(), picture.size))}>
          Smaller
        </button>
        <button type="button" onClick={() => picture.look(undefined)}>
          Show all
        </button>
      </p>
    </div>
  )
}

/** A graph that finds its place: notes move while it is looked at, and nothing is computed once they rest. */
function movingPicture(graph: NoteGraph) {
  const layout = forceLayout(graph.nodes.length, graph.links)
  let canvas: HTMLCanvasElement | undefined
  let frame = 0
  /** undefined: all of it, wherever notes move. */
  let looked: Viewport | undefined
  const picture = {
    marked: -1,
    view: { x: 0, y: 0, scale: 1 },
    size: { width: 0, height: 0 },
    noteAt: (pointer: { x: number; y: number }) => nearest(layout.places, picture.view, picture.size, pointer),
    look(view: Viewport | undefined) {
      looked = view
      picture.draw()
    },
    draw() {
      if (canvas === undefined || picture.size.width === 0) return
      picture.view = looked ?? fitted(layout.places, picture.size)
      drawGraph(canvas, { graph, places: layout.places, ...picture })
    },
    /** Begins to draw; what it answers ends it. */
    show(shown: HTMLCanvasElement) {
      canvas = shown
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
      const tick = () => {
        frame = 0
        const end = performance.now() + stepMs
        do layout.step()
        while (layout.heat() > rest && performance.now() < end)
        const isMoving = layout.heat() > rest
        // Who wants no motion sees the notes where they come to rest.
        if (!isStill || !isMoving) picture.draw()
        if (isMoving) frame = requestAnimationFrame(tick)
        else shown.dataset.rests = ''
      }
      const zoom = (event: WheelEvent) => {
        event.preventDefault()
        const by = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002))
        picture.look(zoomed(picture.view, by, { x: event.offsetX, y: event.offsetY }, picture.size))
      }
      const resized = new ResizeObserver(([{ contentRect }]) => {
        picture.size = { width: contentRect.width, height: contentRect.height }
        picture.draw()
      })
      resized.observe(shown)
      // Not as a prop: a listener that stops the page from scrolling must say that it is not passive.
      shown.addEventListener('wheel', zoom, { passive: false })
      frame = requestAnimationFrame(tick)
      return () => {
        cancelAnimationFrame(frame)
        resized.disconnect()
        shown.removeEventListener('wheel', zoom)
      }
    },
  }
  return picture
}
