import type { NoteGraph, RelatedNote } from '../../../src/core/index/index.js'
import { notePath } from '../../../src/core/vault/index.js'

const node = (title: string, about: string, distance: number) => ({
  path: notePath(`Garden/${title}.md`),
  title,
  about,
  distance,
})

export const smallGraph: NoteGraph = {
  nodes: [
    node('Tomatoes', 'this note', 0),
    node('Cold frame', 'linked from here', 1),
    node('Garden map', 'linked both ways', 1),
    node('Water butts', 'links here', 1),
    node('Slugs', '2 links away', 2),
  ],
  links: [
    [0, 1],
    [0, 2],
    [2, 0],
    [3, 0],
    [2, 4],
  ],
  isCut: false,
  total: 5,
}

/** A graph as it grows in a vault: a few notes have very many links. The same every time. */
export function grownGraph(size: number): NoteGraph {
  let seed = 7
  const chance = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  const links: NoteGraph['links'] = []
  for (let at = 1; at < size; at++) {
    links.push([at, Math.floor(at * chance() ** 3)])
    if (at % 2 === 0) links.push([at, Math.floor(at * chance())])
  }
  const nodes = Array.from({ length: size }, (_, at) =>
    node(`Note ${at}`, at === 0 ? 'this note' : 'links here', at && 1),
  )
  return { nodes, links, isCut: true, total: 2 * size }
}

export const hostileGraph: NoteGraph = {
  nodes: [
    { path: notePath('x.md'), title: '<img src=x onerror=window.__x=1>', about: 'this note', distance: 0 },
    { path: notePath('y.md'), title: 'a \u202egnp.md', about: '<b>x</b>', distance: 1 },
  ],
  links: [[0, 1]],
  isCut: false,
  total: 2,
}

export const relatedNotes: RelatedNote[] = [
  {
    path: notePath('Garden/Cold frame.md'),
    title: 'Cold frame',
    reasons: ['Mentions “cold frame” without a link', 'Both link to Garden map and 2 more', 'Same tag: #garden'],
  },
  { path: notePath('x.md'), title: '<img src=x onerror=window.__x=1>', reasons: ['Similar meaning'] },
]
