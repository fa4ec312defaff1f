import type { Canvas, CanvasNode } from './read-canvas.js'

/** What a new version of a canvas adds, removes and changes, in lines for the person. Moving a card is none of it. */
export function canvasChanges(before: Canvas, after: Canvas): string[] {
  const [old, now] = [byId(before.nodes), byId(after.nodes)]
  const said = (node: CanvasNode) => `${kinds[node.type]}${node.about === '' ? '' : ` ${shown(node.about)}`}`
  const added = after.nodes.filter(({ id }) => !old.has(id)).map((node) => `adds ${said(node)}`)
  const removed = before.nodes.filter(({ id }) => !now.has(id)).map((node) => `removes ${said(node)}`)
  const changed = after.nodes.flatMap((node) => {
    const earlier = old.get(node.id)
    const isSame = earlier === undefined || (earlier.type === node.type && earlier.about === node.about)
    return isSame ? [] : [`changes ${said(earlier)} to ${said(node)}`]
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

const kinds: Record<CanvasNode['type'], string> = {
  text: 'the text card',
  file: 'the card of',
  link: 'the link to',
  group: 'the group',
}

const longest = 60
const shown = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return JSON.stringify(line.length > longest ? `${line.slice(0, longest)}…` : line)
}
