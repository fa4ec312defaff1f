import { isNote, type NotePath } from '../vault/index.js'
import type { NoteIndex } from './note-index.js'
import { yieldToHost } from './yield-to-host.js'

/** Notes and the links between them, for drawing and for screen readers. */
export interface NoteGraph {
  nodes: GraphNode[]
  /** Positions of two notes; the first links to the second. */
  links: [from: number, to: number][]
  /** There are more notes than the limit. */
  isCut: boolean
  /** Number of notes within the distance, shown or not. */
  total: number
}

export interface GraphNode {
  path: NotePath
  /** Its title, or its path if another note here has the same title. */
  title: string
  /** Why it is in the graph, as text. */
  about: string
  /** Distance in links from the first note, which has 0. */
  distance: number
}

type AskedIndex = Pick<NoteIndex, 'linksFrom' | 'linksTo' | 'notesAt'>

/** Notes whose links are followed at most; beyond it, the total is a lower bound. */
const mostFollowed = 3000

/**
 * A note and its neighbours by links in both directions up to `depth`, nearest first. If there are more than the limit,
 * those with the most links to nearer notes are shown.
 */
export async function neighbourhood(
  index: AskedIndex,
  path: NotePath,
  { depth = 1, limit = 300 }: { depth?: number; limit?: number } = {},
): Promise<NoteGraph> {
  const about = new Map<NotePath, Pick<GraphNode, 'about' | 'distance'>>([[path, { about: 'this note', distance: 0 }]])
  const pause = yieldToHost()
  const seen = new Set<NotePath>([path])
  let followed = 0
  let edge: NotePath[] = [path]
  for (let distance = 1; distance <= depth; distance++) {
    const ring = new Map<NotePath, { about: string; links: number }>()
    for (const each of edge) {
      if (followed++ >= mostFollowed) break
      const to = new Set((await index.linksFrom(each)).flatMap(({ target }) => target ?? []))
      const from = new Set((await index.linksTo(each)).map(({ source }) => source))
      for (const other of new Set([...to, ...from])) {
        if (seen.has(other) || !isNote(other)) continue
        const known = ring.get(other) ?? { about: relationOf(distance, to.has(other), from.has(other)), links: 0 }
        known.links++
        ring.set(other, known)
      }
      await pause()
    }
    const room = Math.max(0, limit - about.size)
    const shown = ring.size <= room ? [...ring] : [...ring].sort(([, a], [, b]) => b.links - a.links).slice(0, room)
    for (const [other, { about: words }] of shown) about.set(other, { about: words, distance })
    for (const other of ring.keys()) seen.add(other)
    edge = [...ring.keys()]
  }
  return { ...(await linkedAmong(index, about)), isCut: seen.size > about.size, total: seen.size }
}

/** These notes and the links among them. */
export async function graphOf(
  index: AskedIndex,
  touched: ReadonlyMap<NotePath, string>,
  limit: number,
): Promise<NoteGraph> {
  const shown = [...touched].slice(0, limit)
  const about = new Map(shown.map(([path, words]) => [path, { about: words, distance: 0 }]))
  return { ...(await linkedAmong(index, about)), isCut: shown.length < touched.size, total: touched.size }
}

function relationOf(distance: number, isTarget: boolean, isSource: boolean): string {
  if (distance > 1) return `${distance} links away`
  return isTarget && isSource ? 'linked both ways' : isTarget ? 'linked from here' : 'links here'
}

async function linkedAmong(
  index: AskedIndex,
  about: ReadonlyMap<NotePath, Pick<GraphNode, 'about' | 'distance'>>,
): Promise<Pick<NoteGraph, 'nodes' | 'links'>> {
  const notes = new Map((await index.notesAt([...about.keys()])).map((note) => [note.path, note]))
  const nodes = [...about].flatMap(([path, words]) => {
    const note = notes.get(path)
    return note === undefined ? [] : [{ path, title: note.title, ...words }]
  })
  nameApart(nodes)
  const places = new Map(nodes.map(({ path }, place) => [path, place]))
  const links: NoteGraph['links'] = []
  const pause = yieldToHost()
  for (const [from, { path }] of nodes.entries()) {
    const targets = new Set((await index.linksFrom(path)).flatMap(({ target }) => target ?? []))
    for (const target of targets) {
      const to = places.get(target)
      if (to !== undefined && to !== from) links.push([from, to])
    }
    await pause()
  }
  return { nodes, links }
}

/** Notes with the same title are labelled by path. */
function nameApart(nodes: GraphNode[]): void {
  const times = new Map<string, number>()
  for (const { title } of nodes) times.set(title, (times.get(title) ?? 0) + 1)
  for (const node of nodes) if ((times.get(node.title) ?? 0) > 1) node.title = node.path.replace(/\.md$/i, '')
}
