import { describe, expect, it } from 'vitest'
import { memoryVault, notePath } from '../vault/index.js'
import { memoryStore } from './memory-store.js'
import { graphOf, neighbourhood } from './note-graph.js'
import { openVaultIndex } from './vault-index.js'

async function indexed(files: Record<string, string>) {
  const index = await openVaultIndex({ vault: memoryVault({ files }), store: memoryStore() })
  await index.readChanges()
  return index
}

const notes = {
  'A.md': '[[B]] [[C]] ![[pic.png]] [[Nowhere]]',
  'B.md': '[[A]] [[D]]',
  'C.md': 'c',
  'D.md': 'd',
  'E.md': '[[A]]',
  'Alone.md': 'x',
  'pic.png': 'png',
}

describe('the neighbourhood of a note', () => {
  it('contains linked notes, how they are linked, and the links among all of them', async () => {
    const graph = await neighbourhood(await indexed(notes), notePath('A.md'))
    expect(graph.nodes.map(({ path, about }) => `${path}: ${about}`)).toEqual([
      'A.md: this note',
      'B.md: linked both ways',
      'C.md: linked from here',
      'E.md: links here',
    ])
    expect(graph.links).toEqual([
      [0, 1],
      [0, 2],
      [1, 0],
      [3, 0],
    ])
    expect(graph.isCut).toBe(false)
  })

  it('labels notes with the same title by their paths', async () => {
    const index = await indexed({ 'A.md': '[[x/B]] [[y/B]]', 'x/B.md': '', 'y/B.md': '' })
    const { nodes } = await neighbourhood(index, notePath('A.md'))
    expect(nodes.map(({ title }) => title)).toEqual(['A', 'x/B', 'y/B'])
  })

  it('extends to the given depth', async () => {
    const { nodes } = await neighbourhood(await indexed(notes), notePath('A.md'), { depth: 2 })
    expect(nodes.at(-1)).toEqual({ path: 'D.md', title: 'D', about: '2 links away', distance: 2 })
  })

  it('is limited to a number of notes, and reports that', async () => {
    const graph = await neighbourhood(await indexed(notes), notePath('A.md'), { limit: 2 })
    expect(graph.nodes).toHaveLength(2)
    expect([graph.isCut, graph.total]).toEqual([true, 4])
    expect(graph.links).toEqual([
      [0, 1],
      [1, 0],
    ])
  })
})

it('shows the most linked notes if there are more than the limit', async () => {
  const index = await indexed({ 'A.md': '[[B]] [[C]]', 'B.md': '[[D]] [[E]]', 'C.md': '[[E]]', 'D.md': '', 'E.md': '' })
  const { nodes, total } = await neighbourhood(index, notePath('A.md'), { depth: 2, limit: 4 })
  expect([nodes.map(({ path }) => path), total]).toEqual([['A.md', 'B.md', 'C.md', 'E.md'], 5])
})

it('shows given notes with the links among them, without removed ones', async () => {
  const touched = new Map([
    [notePath('B.md'), 'changed'],
    [notePath('Gone.md'), 'seen'],
    [notePath('A.md'), 'cited, seen'],
  ])
  const graph = await graphOf(await indexed(notes), touched, 10)
  expect(graph.nodes.map(({ path, about }) => `${path}: ${about}`)).toEqual(['B.md: changed', 'A.md: cited, seen'])
  expect(graph.links).toEqual([
    [0, 1],
    [1, 0],
  ])
  expect((await graphOf(await indexed(notes), touched, 1)).isCut).toBe(true)
})
