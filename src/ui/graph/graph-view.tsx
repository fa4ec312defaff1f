import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { NoteGraph } from '../../core/index/index.js'
import { count, visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'
import { forceLayout, restThreshold } from './force-layout.js'
import type { Size, Viewport } from './viewport.js'
import { allOnScreen, fitted, moved, nearest, zoomed } from './viewport.js'

/** Rows listed at first; the rest on request. */
const firstRows = 50

/** Notes and their links as a picture, and the same as a list for screen readers and keyboards. */
export function GraphView({ graph }: { graph: NoteGraph }) {
  const { openNote } = useHost()
  const [marked, setMarked] = useState(-1)
  const [isWhole, setWhole] = useState(false)
  const [words, setWords] = useState('')
  const open = useCallback(
    (at: number) => {
      const node = graph.nodes[at]
      if (node !== undefined) openNote(node.path)
    },
    [graph],
  )
  const markedNode = graph.nodes[marked]
  if (graph.nodes.length === 0) return <p class="nw-remark">No notes yet.</p>
  const degrees = new Array<number>(graph.nodes.length).fill(0)
  for (const link of graph.links) for (const at of link) degrees[at] = (degrees[at] ?? 0) + 1
  const wanted = words.trim().toLowerCase()
  const fitting = graph.nodes
    .map((node, at) => ({ ...node, at }))
    .filter(({ title, path }) => `${title}\n${path}`.toLowerCase().includes(wanted))
  const rows = isWhole ? fitting : fitting.slice(0, firstRows)
  return (
    <div class="nw-graph">
      <GraphCanvas graph={graph} marked={marked} onMark={setMarked} onOpen={open} />
      <p class="nw-remark" role="status">
        {markedNode !== undefined
          ? visibleText(`${markedNode.title}: ${markedNode.about}`).text
          : `${graph.isCut ? `Showing ${graph.nodes.length} of ${count(graph.total, 'note')}` : count(graph.nodes.length, 'note')}, ${count(graph.links.length, 'link')}.`}
      </p>
      {graph.nodes.length > firstRows && (
        <input
          type="search"
          aria-label="Find in the list"
          placeholder="Find in the list"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <ul class="nw-graph-list">
        {rows.map(({ path, title, about, at }) => (
          <li key={path} class={at === marked ? 'nw-graph-marked' : ''}>
            <button
              type="button"
              class="nw-link"
              onClick={() => open(at)}
              onFocus={() => setMarked(at)}
              onBlur={() => setMarked(-1)}
              onPointerEnter={() => setMarked(at)}
              onPointerLeave={() => setMarked(-1)}
            >
              {visibleText(title).text}
            </button>{' '}
            <small>
              {visibleText(about).text}, {count(degrees[at] ?? 0, 'link')} shown
            </small>
          </li>
        ))}
      </ul>
      {rows.length < fitting.length && (
        <button type="button" onClick={() => setWhole(true)}>
          List all {fitting.length}
        </button>
      )}
    </div>
  )
}

/** Time budget for layout steps per frame. */
const stepMs = 8
/** A pointer that moved less has clicked. */
const clickPixels = 4

interface GraphCanvasProps {
  graph: NoteGraph
  marked: number
  onMark: (at: number) => void
  onOpen: (at: number) => void
}

/** The picture of a graph, for those who see it. Everything it shows and does, the list beside it says and does too. */
function GraphCanvas({ graph, marked, onMark, onOpen }: GraphCanvasProps) {
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
          Zoom in
        </button>
        <button type="button" onClick={() => picture.look(zoomed(picture.view, 1 / 1.4, middle(), picture.size))}>
          Zoom out
        </button>
        <button type="button" onClick={() => picture.look(undefined)}>
          Fit
        </button>
      </p>
    </div>
  )
}

/** An animated graph: notes move while it is shown, and nothing is computed once they are stable. */
function movingPicture(graph: NoteGraph) {
  const layout = forceLayout(graph.nodes.length, graph.links)
  const degrees = new Float32Array(graph.nodes.length)
  for (const link of graph.links) for (const at of link) degrees[at] = (degrees[at] ?? 0) + 1
  // The notes with the most links come first, so that their names get the room.
  const byLinks = [...graph.nodes.keys()].sort((a, b) => (degrees[b] ?? 0) - (degrees[a] ?? 0))
  let canvas: HTMLCanvasElement | undefined
  let frame = 0
  /** undefined: fits all of it, wherever notes move. */
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
      drawGraph(canvas, { graph, places: layout.places, degrees, byLinks, ...picture })
    },
    /** Starts drawing; returns a stop function. */
    show(shown: HTMLCanvasElement) {
      canvas = shown
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
      const tick = () => {
        frame = 0
        const end = performance.now() + stepMs
        do layout.step()
        while (layout.heat() > restThreshold && performance.now() < end)
        const isMoving = layout.heat() > restThreshold
        // With reduced motion, only the final positions are drawn.
        if (!isStill || !isMoving) picture.draw()
        if (isMoving) frame = requestAnimationFrame(tick)
        else shown.dataset.rests = ''
      }
      const zoom = (event: WheelEvent) => {
        event.preventDefault()
        const by = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002))
        picture.look(zoomed(picture.view, by, { x: event.offsetX, y: event.offsetY }, picture.size))
      }
      const resized = new ResizeObserver(([entry]) => {
        if (entry === undefined) return
        const { contentRect } = entry
        picture.size = { width: contentRect.width, height: contentRect.height }
        picture.draw()
      })
      resized.observe(shown)
      // Not as a prop: a listener that prevents scrolling must be registered as not passive.
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

interface Picture {
  graph: NoteGraph
  places: Float32Array
  /** Number of links of each note. */
  degrees: Float32Array
  /** All notes, those with the most links first. */
  byLinks: readonly number[]
  view: Viewport
  size: Size
  /** The note that is pointed at, here or in the list; -1 for none. */
  marked: number
}

const longestName = 40

/** In the colours of the current theme. */
function drawGraph(canvas: HTMLCanvasElement, picture: Picture): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { size, graph, marked } = picture
  const ratio = canvas.ownerDocument.defaultView?.devicePixelRatio || 1
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)]
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
  const colour = colours(canvas)
  const shown = allOnScreen(picture.view, size, picture.places)
  const near = new Set(graph.links.filter((link) => link.includes(marked)).flat())
  drawLinks(context, picture, shown, colour.line, (link) => !link.includes(marked), marked >= 0)
  if (marked >= 0) drawLinks(context, picture, shown, colour.accent, (link) => link.includes(marked))
  drawNotes(context, picture, shown, near, colour)
  drawNames(context, picture, shown, near, colour)
}

type Colours = ReturnType<typeof colours>

function colours(canvas: HTMLCanvasElement) {
  const style = getComputedStyle(canvas)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    line: of('--text-faint'),
    note: of('--text-muted'),
    accent: of('--text-accent'),
    text: of('--text-normal'),
    paper: of('--background-primary'),
    font: `12px ${of('--font-interface') || 'sans-serif'}`,
  }
}

function drawLinks(
  context: CanvasRenderingContext2D,
  { graph }: Picture,
  shown: Float32Array,
  colour: string,
  isDrawn: (link: readonly [number, number]) => boolean,
  isFaded = false,
): void {
  context.beginPath()
  for (const link of graph.links) {
    if (!isDrawn(link)) continue
    // `!`: `shown` has two numbers for each note, here and below.
    const [from, to] = [link[0] * 2, link[1] * 2]
    context.moveTo(shown[from]!, shown[from + 1]!)
    context.lineTo(shown[to]!, shown[to + 1]!)
  }
  context.strokeStyle = colour
  context.globalAlpha = isFaded ? 0.12 : graph.links.length > 150 ? 0.35 : 0.7
  context.stroke()
  context.globalAlpha = 1
}

/** Larger with more links. */
const radiusOf = (view: Viewport, distance: number, degree: number): number =>
  Math.max(2, Math.min(14, ((distance === 0 ? 6 : 3.5) + 1.3 * Math.log2(1 + degree)) * Math.sqrt(view.scale)))

/** One path for all with the same style: two thousand separate fills would take a frame each. */
function drawNotes(
  context: CanvasRenderingContext2D,
  { graph, view, marked, degrees }: Picture,
  shown: Float32Array,
  near: ReadonlySet<number>,
  colour: Colours,
): void {
  const isAccented = (at: number) => at === marked || near.has(at) || graph.nodes[at]?.distance === 0
  for (const accented of [false, true]) {
    context.beginPath()
    for (const [at, { distance }] of graph.nodes.entries()) {
      if (isAccented(at) !== accented) continue
      const [x, y] = [shown[at * 2]!, shown[at * 2 + 1]!]
      const radius = radiusOf(view, distance, degrees[at]!) + (at === marked ? 2 : 0)
      context.moveTo(x + radius, y)
      context.arc(x, y, radius, 0, 2 * Math.PI)
    }
    context.fillStyle = accented ? colour.accent : colour.note
    context.globalAlpha = !accented && marked >= 0 ? 0.3 : 1
    context.fill()
    context.globalAlpha = 1
  }
}

/** Names that do not cover each other: the marked note and its neighbours first, then those with the most links. */
function drawNames(
  context: CanvasRenderingContext2D,
  { graph, view, size, marked, degrees, byLinks }: Picture,
  shown: Float32Array,
  near: ReadonlySet<number>,
  colour: Colours,
): void {
  context.font = colour.font
  context.textBaseline = 'middle'
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = colour.paper
  context.fillStyle = colour.text
  const first = [marked, ...[...near].filter((at) => at !== marked)].filter((at) => at >= 0)
  const rest = marked >= 0 ? [] : [...byLinks].sort((a, b) => firstNote(graph, a) - firstNote(graph, b))
  const taken: Box[] = []
  for (const at of [...first, ...rest]) {
    // `!`: `at` is the index of a note, and `shown` has two numbers for each.
    const { title, distance } = graph.nodes[at]!
    const [x, y] = [shown[at * 2]!, shown[at * 2 + 1]!]
    if (x < 0 || y < 0 || x > size.width || y > size.height) continue
    const name = shortName(title)
    const width = context.measureText(name).width
    const gap = radiusOf(view, distance, degrees[at]!) + 4
    const right = { left: x + gap, right: x + gap + width, top: y - 8, bottom: y + 8 }
    const left = { left: x - gap - width, right: x - gap, top: y - 8, bottom: y + 8 }
    const box = [right, left].find(
      (one) => one.left >= 0 && one.right <= size.width && !taken.some((other) => overlaps(one, other)),
    )
    // The marked note is always named.
    const own = box ?? (at === marked ? (right.right <= size.width ? right : left) : undefined)
    if (own === undefined) continue
    taken.push(own)
    context.textAlign = 'left'
    context.strokeText(name, own.left, y)
    context.fillText(name, own.left, y)
  }
  context.lineWidth = 1
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

const firstNote = ({ nodes }: NoteGraph, at: number): number => (nodes[at]?.distance === 0 && nodes.length > 1 ? 0 : 1)

function shortName(title: string): string {
  const name = visibleText(title).text
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name
}
