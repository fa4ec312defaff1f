import { visibleText } from '../../core/text/index.js'
import type { NoteGraph } from '../../core/vault-index/index.js'
import { allOnScreen, type Size, type Viewport } from './viewport.js'

export interface Picture {
  graph: NoteGraph
  places: Float32Array
  view: Viewport
  size: Size
  /** The note that is pointed at, here or in the list; -1 for none. */
  marked: number
}

/** Up to so many notes all have their names beside them; of more, those that are large enough on the screen. */
const allNamed = 30
const namedFrom = 1.4
const longestName = 40

/** In the colours of the page, whichever theme it has. */
export function drawGraph(canvas: HTMLCanvasElement, picture: Picture): void {
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
  drawLinks(context, picture, shown, colour.line, (link) => !link.includes(marked))
  if (marked >= 0) drawLinks(context, picture, shown, colour.accent, (link) => link.includes(marked))
  drawNotes(context, picture, shown, near, colour)
  drawNames(context, picture, shown, near, colour)
}

type Colours = ReturnType<typeof colours>

function colours(canvas: HTMLCanvasElement) {
  const style = getComputedStyle(canvas)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    line: of('--input-border'),
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
): void {
  context.beginPath()
  for (const link of graph.links) {
    if (!isDrawn(link)) continue
    const [from, to] = [link[0] * 2, link[1] * 2]
    context.moveTo(shown[from], shown[from + 1])
    context.lineTo(shown[to], shown[to + 1])
  }
  context.strokeStyle = colour
  context.globalAlpha = graph.links.length > 500 ? 0.35 : 0.7
  context.stroke()
  context.globalAlpha = 1
}

const radiusOf = (view: Viewport, distance: number): number =>
  Math.max(1.5, Math.min(9, (distance === 0 ? 6 : 4.5) * Math.sqrt(view.scale)))

/** One path for all that look alike: two thousand fills of their own would take a frame each. */
function drawNotes(
  context: CanvasRenderingContext2D,
  { graph, view, marked }: Picture,
  shown: Float32Array,
  near: ReadonlySet<number>,
  colour: Colours,
): void {
  const isAccented = (at: number) => at === marked || near.has(at) || graph.nodes[at].distance === 0
  for (const accented of [false, true]) {
    context.beginPath()
    for (const [at, { distance }] of graph.nodes.entries()) {
      if (isAccented(at) !== accented) continue
      const [x, y] = [shown[at * 2], shown[at * 2 + 1]]
      const radius = radiusOf(view, distance) + (at === marked ? 2 : 0)
      context.moveTo(x + radius, y)
      context.arc(x, y, radius, 0, 2 * Math.PI)
    }
    context.fillStyle = accented ? colour.accent : colour.note
    context.fill()
  }
}

function drawNames(
  context: CanvasRenderingContext2D,
  { graph, view, size, marked }: Picture,
  shown: Float32Array,
  near: ReadonlySet<number>,
  colour: Colours,
): void {
  const isSmall = graph.nodes.length <= allNamed
  context.font = colour.font
  context.textBaseline = 'middle'
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = colour.paper
  context.fillStyle = colour.text
  for (const [at, { title }] of graph.nodes.entries()) {
    const isNamed = at === marked || isSmall || view.scale >= namedFrom || (near.has(at) && near.size <= allNamed)
    if (!isNamed) continue
    const [x, y] = [shown[at * 2], shown[at * 2 + 1]]
    if (x < -200 || y < -20 || x > size.width + 20 || y > size.height + 20) continue
    const name = visibleText(title).text.slice(0, longestName)
    // On the side where there is room.
    const isLeft = x > size.width / 2 && x + context.measureText(name).width > size.width - 12
    context.textAlign = isLeft ? 'right' : 'left'
    const beside = isLeft ? x - 10 : x + 10
    context.strokeText(name, beside, y)
    context.fillText(name, beside, y)
  }
  context.lineWidth = 1
}
