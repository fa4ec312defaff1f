import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'

/** A canvas as https://jsoncanvas.org/spec/1.0 has it: cards, and lines between them. */
export interface Canvas {
  nodes: CanvasNode[]
  edges: CanvasEdge[]
}

export interface CanvasNode {
  id: string
  type: 'text' | 'file' | 'link' | 'group'
  /** `text`, `file`, `url` or `label`, whichever its type has. */
  about: string
}

export interface CanvasEdge {
  id: string
  from: string
  to: string
}

const contentOf = { text: 'text', file: 'file', link: 'url', group: 'label' } as const
const sides = ['top', 'right', 'bottom', 'left']
const most = 10_000

/** Reads a canvas and refuses what is none, in a sentence that says where. An empty file is an empty canvas. */
export function readCanvas(text: string): Canvas {
  if (text.trim() === '') return { nodes: [], edges: [] }
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    throw wrong(`it is not valid JSON (${(error as Error).message})`)
  }
  if (!isRecord(tree)) throw wrong('it must be an object with nodes and edges')
  const nodes = listOf(tree.nodes, 'nodes').map((node, at) => readNode(node, `nodes[${at}]`))
  const edges = listOf(tree.edges, 'edges').map((edge, at) => readEdge(edge, `edges[${at}]`))
  const ids = new Set<string>()
  for (const { id } of [...nodes, ...edges]) {
    if (ids.has(id)) throw wrong(`two of its parts have the id ${JSON.stringify(id)}`)
    ids.add(id)
  }
  const cards = new Set(nodes.map(({ id }) => id))
  for (const { id, from, to } of edges) {
    const lost = [from, to].find((end) => !cards.has(end))
    if (lost !== undefined)
      throw wrong(`the edge ${JSON.stringify(id)} leads to ${JSON.stringify(lost)}, which is no node`)
  }
  return { nodes, edges }
}

function listOf(value: unknown, name: string): unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw wrong(`${name} must be a list`)
  if (value.length > most) throw wrong(`${name} has more than ${most} entries`)
  return value
}

function readNode(node: unknown, where: string): CanvasNode {
  if (!isRecord(node)) throw wrong(`${where} must be an object`)
  const type = node.type as CanvasNode['type']
  if (!Object.hasOwn(contentOf, `${type}`)) throw wrong(`${where}.type must be text, file, link or group`)
  for (const name of ['x', 'y', 'width', 'height']) {
    if (!Number.isFinite(node[name])) throw wrong(`${where}.${name} must be a number`)
  }
  const field = contentOf[type]
  const about = node[field]
  if (typeof about !== 'string' && !(type === 'group' && about === undefined)) {
    throw wrong(`${where}.${field} must be a text`)
  }
  return { id: idOf(node.id, where), type, about: typeof about === 'string' ? about : '' }
}

function readEdge(edge: unknown, where: string): CanvasEdge {
  if (!isRecord(edge)) throw wrong(`${where} must be an object`)
  for (const side of ['fromSide', 'toSide']) {
    if (edge[side] !== undefined && !sides.some((each) => each === edge[side]))
      throw wrong(`${where}.${side} must be ${sides.join(', ')}`)
  }
  return {
    id: idOf(edge.id, where),
    from: idOf(edge.fromNode, `${where}.fromNode`),
    to: idOf(edge.toNode, `${where}.toNode`),
  }
}

function idOf(id: unknown, where: string): string {
  if (typeof id !== 'string' || id === '') throw wrong(`${where} needs an id`)
  return id
}

function wrong(reason: string): Failure {
  return new Failure('invalid-input', `This is no JSON Canvas: ${reason}.`, {
    hint: 'Give {"nodes": [{"id", "type", "x", "y", "width", "height", …}], "edges": [{"id", "fromNode", "toNode"}]}.',
  })
}
