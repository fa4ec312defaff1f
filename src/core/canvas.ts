import { Failure } from './errors.js'
import { isRecord } from './is-record.js'

/** A canvas in the format of https://jsoncanvas.org/spec/1.0: cards, and lines between them. */
export interface Canvas {
  nodes: CanvasNode[]
  edges: CanvasEdge[]
}

interface CanvasNode {
  id: string
  type: 'text' | 'file' | 'link' | 'group'
  /** Its `text`, `file`, `url` or `label`, depending on the type. */
  about: string
}

interface CanvasEdge {
  id: string
  from: string
  to: string
}

const contentField = { text: 'text', file: 'file', link: 'url', group: 'label' } as const
const sides = ['top', 'right', 'bottom', 'left']
const maxEntries = 10_000

/** Reads a canvas. Invalid input fails with a sentence that names the place. An empty file is an empty canvas. */
export function readCanvas(text: string): Canvas {
  if (text.trim() === '') return { nodes: [], edges: [] }
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    throw invalidCanvas(`it is not valid JSON (${(error as Error).message})`)
  }
  if (!isRecord(tree)) throw invalidCanvas('it must be an object with "nodes" and "edges"')
  const nodes = listOf(tree.nodes, 'nodes').map((node, at) => readNode(node, `nodes[${at}]`))
  const edges = listOf(tree.edges, 'edges').map((edge, at) => readEdge(edge, `edges[${at}]`))
  const ids = new Set<string>()
  for (const { id } of [...nodes, ...edges]) {
    if (ids.has(id)) throw invalidCanvas(`the id ${JSON.stringify(id)} is used twice`)
    ids.add(id)
  }
  const cards = new Set(nodes.map(({ id }) => id))
  for (const { id, from, to } of edges) {
    const lost = [from, to].find((end) => !cards.has(end))
    if (lost !== undefined)
      throw invalidCanvas(`the edge ${JSON.stringify(id)} points to ${JSON.stringify(lost)}, which is not a node`)
  }
  return { nodes, edges }
}

function listOf(value: unknown, name: string): unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw invalidCanvas(`${name} must be a list`)
  if (value.length > maxEntries) throw invalidCanvas(`${name} has more than ${maxEntries} entries`)
  return value
}

function readNode(node: unknown, where: string): CanvasNode {
  if (!isRecord(node)) throw invalidCanvas(`${where} must be an object`)
  const type = node.type as CanvasNode['type']
  if (!Object.hasOwn(contentField, `${type}`)) throw invalidCanvas(`${where}.type must be text, file, link or group`)
  for (const name of ['x', 'y', 'width', 'height']) {
    if (!Number.isFinite(node[name])) throw invalidCanvas(`${where}.${name} must be a number`)
  }
  const field = contentField[type]
  const about = node[field]
  if (typeof about !== 'string' && !(type === 'group' && about === undefined)) {
    throw invalidCanvas(`${where}.${field} must be text`)
  }
  return { id: idOf(node.id, where), type, about: typeof about === 'string' ? about : '' }
}

function readEdge(edge: unknown, where: string): CanvasEdge {
  if (!isRecord(edge)) throw invalidCanvas(`${where} must be an object`)
  for (const side of ['fromSide', 'toSide']) {
    if (edge[side] !== undefined && !sides.some((each) => each === edge[side]))
      throw invalidCanvas(`${where}.${side} must be ${sides.join(', ')}`)
  }
  return {
    id: idOf(edge.id, where),
    from: idOf(edge.fromNode, `${where}.fromNode`),
    to: idOf(edge.toNode, `${where}.toNode`),
  }
}

function idOf(id: unknown, where: string): string {
  if (typeof id !== 'string' || id === '') throw invalidCanvas(`${where} needs an id`)
  return id
}

function invalidCanvas(reason: string): Failure {
  return new Failure('invalid-input', `This is not a valid JSON Canvas: ${reason}.`, {
    hint: 'Use the form {"nodes": [{"id", "type", "x", "y", "width", "height", …}], "edges": [{"id", "fromNode", "toNode"}]}.',
  })
}

/** Describes what a new version of a canvas adds, removes and changes, one line each. Moving a card is not listed. */
export function canvasChanges(before: Canvas, after: Canvas): string[] {
  const [old, now] = [byId(before.nodes), byId(after.nodes)]
  const describe = (node: CanvasNode) =>
    `${kindNames[node.type]}${node.about === '' ? '' : ` ${quotedLine(node.about)}`}`
  const added = after.nodes.filter(({ id }) => !old.has(id)).map((node) => `adds ${describe(node)}`)
  const removed = before.nodes.filter(({ id }) => !now.has(id)).map((node) => `removes ${describe(node)}`)
  const changed = after.nodes.flatMap((node) => {
    const earlier = old.get(node.id)
    const isSame = earlier === undefined || (earlier.type === node.type && earlier.about === node.about)
    return isSame ? [] : [`changes ${describe(earlier)} to ${describe(node)}`]
  })
  return [...removed, ...added, ...changed, ...edgeChanges(before, after)]
}

function edgeChanges(before: Canvas, after: Canvas): string[] {
  const line = ({ from, to }: { from: string; to: string }) => JSON.stringify([from, to])
  const count = (canvas: Canvas, other: Canvas) => {
    const known = new Set(other.edges.map(line))
    return canvas.edges.filter((edge) => !known.has(line(edge))).length
  }
  const lines = (number: number) => `${number} line${number === 1 ? '' : 's'} between cards`
  const [added, removed] = [count(after, before), count(before, after)]
  return [...(removed > 0 ? [`removes ${lines(removed)}`] : []), ...(added > 0 ? [`adds ${lines(added)}`] : [])]
}

const byId = (nodes: readonly CanvasNode[]) => new Map(nodes.map((node) => [node.id, node]))

const kindNames: Record<CanvasNode['type'], string> = {
  text: 'the text card',
  file: 'the card of',
  link: 'the link to',
  group: 'the group',
}

const maxShownLength = 60
const quotedLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return JSON.stringify(line.length > maxShownLength ? `${line.slice(0, maxShownLength)}…` : line)
}
