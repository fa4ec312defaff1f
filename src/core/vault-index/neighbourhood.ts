import type { NotePath } from '../vault/index.js'
import { isNote } from '../vault/index.js'
import type { NoteIndex } from './note-index.js'
import { yieldToHost } from './yield-to-host.js'

/** Notes and the links between them, to be drawn and to be read out. */
export interface NoteGraph {
  nodes: GraphNode[]
  /** Positions of two notes; the first links to the second. */
  links: [from: number, to: number][]
  /** There are more notes than were asked for. */
  isCut: boolean
}

export interface GraphNode {
  path: NotePath
  /** Its title, or its path where another one here is called the same. */
  title: string
  /** How it belongs there, in words. */
  about: string
  /** Links away from the first note; 0 for what the graph is about. */
  distance: number
}

type AskedIndex = Pick<NoteIndex, 'linksFrom' | 'linksTo' | 'notesAt'>

/** A note, what is linked with it in either direction, and so on for `depth` links, the nearest first. */
export async function neighbourhood(
  index: AskedIndex,
  path: NotePath,
  { depth = 1, limit = 300 }: { depth?: number; limit?: number } = {},
): Promise<NoteGraph> {
  const about = new Map<NotePath, Pick<GraphNode, 'about' | 'distance'>>([[path, { about: 'this note', distance: 0 }]])
  const pause = yieldToHost()
  let isCut = false
  let edge: NotePath[] = [path]
  for (let distance = 1; distance <= depth && !isCut; distance++) {
    const next: NotePath[] = []
    for (const each of edge) {
      const to = new Set((await index.linksFrom(each)).flatMap(({ target }) => target ?? []))
      const from = new Set((await index.linksTo(each)).map(({ source }) => source))
      for (const other of [...to, ...from]) {
        if (about.has(other) || !isNote(other)) continue
        isCut = about.size >= limit
        if (isCut) break
        about.set(other, { about: relationOf(distance, to.has(other), from.has(other)), distance })
        next.push(other)
      }
      await pause()
    }
    edge = next
  }
  return { ...(await linkedAmong(index, about)), isCut }
}

/** These notes and the links among them. */
export async function graphOf(
  index: AskedIndex,
  touched: ReadonlyMap<NotePath, string>,
  limit: number,
): Promise<NoteGraph> {
  const shown = [...touched].slice(0, limit)
  const about = new Map(shown.map(([path, words]) => [path, { about: words, distance: 0 }]))
  return { ...(await linkedAmong(index, about)), isCut: shown.length < touched.size }
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

/** Of several that have the same title each is called by its path. */
function nameApart(nodes: GraphNode[]): void {
  const times = new Map<string, number>()
  for (const { title } of nodes) times.set(title, (times.get(title) ?? 0) + 1)
  for (const node of nodes) if ((times.get(node.title) ?? 0) > 1) node.title = node.path.replace(/\.md$/i, '')
}
