import { describe, expect, it } from 'vitest'
import { memoryVault, notePath } from '../vault/index.js'
import { memoryStore } from './memory-store.js'
import { graphOf, neighbourhood } from './neighbourhood.js'
import { openVaultIndex } from './open-vault-index.js'

async function indexed(files: Record<string, string>) {
  const index = await openVaultIndex({ vault: memoryVault({ files }), store: memoryStore() })
  await index.catchUp()
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
  it('is what is linked with it, with how, and the links among all of them', async () => {
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

  it('calls notes of one title by their paths', async () => {
    const index = await indexed({ 'A.md': '[[x/B]] [[y/B]]', 'x/B.md': '', 'y/B.md': '' })
    const { nodes } = await neighbourhood(index, notePath('A.md'))
    expect(nodes.map(({ title }) => title)).toEqual(['A', 'x/B', 'y/B'])
  })

  it('goes as far as it is told', async () => {
    const { nodes } = await neighbourhood(await indexed(notes), notePath('A.md'), { depth: 2 })
    expect(nodes.at(-1)).toEqual({ path: 'D.md', title: 'D', about: '2 links away', distance: 2 })
  })

  it('is cut at a number of notes, and says so', async () => {
    const graph = await neighbourhood(await indexed(notes), notePath('A.md'), { limit: 2 })
    expect(graph.nodes).toHaveLength(2)
    expect(graph.isCut).toBe(true)
    expect(graph.links).toEqual([
      [0, 1],
      [1, 0],
    ])
  })
})

it('shows any notes with the links among them, without those that are gone', async () => {
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
