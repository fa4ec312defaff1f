import { describe, expect, it } from 'vitest'
import { memoryVault, notePath } from '../vault/index.js'
import { memoryStore } from './memory-store.js'
import { openVaultIndex } from './vault-index.js'

let time = 1_700_000_000_000
const vaultOf = (files: Record<string, string>) => memoryVault({ files, now: () => time++ })

async function indexed(notes: Record<string, string>) {
  const index = await openVaultIndex({ vault: vaultOf(notes), store: memoryStore() })
  await index.readChanges()
  await index.updateVectors()
  return index
}

async function relatedTo(wanted: string, notes: Record<string, string>, more = {}) {
  const index = await indexed(notes)
  return (await index.related({ path: notePath(wanted), ...more })).notes
}

/** Notes about something else, so that words are rare and topics differ. */
const others = Object.fromEntries(
  Array.from({ length: 80 }, (_, number) => {
    const topics = ['bicycle wheel brake chain', 'novel author chapter plot', 'harbour ship sail anchor']
    return [`Else/n${number}.md`, `${topics[number % 3]} number${number}`]
  }),
)

describe('related notes', () => {
  it('share distinctive words, which are the reason shown', async () => {
    const [first, second] = await relatedTo('Bread.md', {
      ...others,
      'Bread.md': 'Rye sourdough rests overnight, then the levain doubles.',
      'Rolls.md': 'For rolls the sourdough needs a stiff levain.',
      'Soup.md': 'Leeks and potatoes.',
    })
    expect(first.path).toBe('Rolls.md')
    expect(first.reasons.join()).toMatch(/^Shared terms: .*levain/)
    expect(second?.path).not.toBe('Soup.md')
  })

  it('exclude linked notes in both directions, unless requested', async () => {
    const notes = {
      ...others,
      'A.md': 'sourdough levain [[B]]',
      'B.md': 'sourdough levain',
      'C.md': 'sourdough levain [[A]]',
      'D.md': 'sourdough levain',
    }
    expect((await relatedTo('A.md', notes)).map(({ path }) => path)).toEqual(['D.md'])
    const all = await relatedTo('A.md', notes, { includeLinked: true })
    expect(all.map(({ path, isLinked = false }) => `${path} ${isLinked}`).sort()).toEqual([
      'B.md true',
      'C.md true',
      'D.md false',
    ])
  })

  it('include notes mentioned without a link, also by alias', async () => {
    const [first] = await relatedTo('Diary.md', {
      ...others,
      'Diary.md': 'Today I thought of the long wall again.',
      'Fortification.md': '---\naliases: [Long Wall]\n---\nStones.',
    })
    expect(first.path).toBe('Fortification.md')
    expect(first.reasons[0]).toBe('Mentions “long wall” without a link')
  })

  it('include notes that mention the note without a link', async () => {
    const [first] = await relatedTo('Long Wall.md', {
      ...others,
      'Long Wall.md': 'Stones.',
      'Diary.md': 'Today I thought of the long wall again.',
    })
    expect(first.path).toBe('Diary.md')
    expect(first.reasons[0]).toBe('Mentions this note, “Long Wall”, without a link')
  })

  it.each([
    ['Both are linked from Index', { 'A.md': 'x', 'B.md': 'y', 'Index.md': '[[A]] [[B]]' }],
    ['Both link to Centre', { 'A.md': '[[Centre]]', 'B.md': '[[Centre]]', 'Centre.md': 'z' }],
    ['One link away, through Middle', { 'A.md': '[[Middle]]', 'B.md': 'y', 'Middle.md': '[[B]]' }],
  ])('%s', async (reason, notes) => {
    const [first] = await relatedTo('A.md', { ...others, ...notes })
    expect(first).toMatchObject({ path: 'B.md', reasons: expect.arrayContaining([reason]) })
  })

  it('count shared tags and folders, which alone are not enough', async () => {
    const notes = {
      ...others,
      'Yard/A.md': 'sourdough levain #baking',
      'Yard/B.md': 'sourdough #Baking',
      'C.md': 'sourdough',
      'Yard/Other.md': 'anchor #baking',
    }
    const [first] = await relatedTo('Yard/A.md', notes)
    expect(first.path).toBe('Yard/B.md')
    expect(first.reasons).toEqual(expect.arrayContaining(['Same tag: #baking', 'Same folder']))
  })

  it('do not depend on the number of segments', async () => {
    const notes = { ...others, 'A.md': 'rye sourdough levain', 'B.md': 'stiff levain', 'C.md': 'rye field' }
    const vault = vaultOf(others)
    const index = await openVaultIndex({ vault, store: memoryStore() })
    await index.readChanges()
    for (const path of ['A.md', 'B.md', 'C.md'] as const) {
      vault.write(path, notes[path])
      await index.readChanges()
    }
    const inParts = await index.related({ path: notePath('A.md') })
    const atOnce = await (await openedAfresh(vault)).related({ path: notePath('A.md') })
    expect(inParts.notes.map(({ path }) => path)).toEqual(atOnce.notes.map(({ path }) => path))
    expect(inParts.notes.map(({ path }) => path).sort()).toEqual(['B.md', 'C.md'])
  })

  it('fail for a missing note and suggest similar names', async () => {
    const index = await indexed({ 'Garden plan.md': 'x' })
    await expect(index.related({ path: notePath('Garden plans.md') })).rejects.toMatchObject({
      code: 'not-found',
      details: { hint: 'Did you mean Garden plan.md?' },
    })
  })

  it('never mention invisible notes, in reasons either', async () => {
    const index = await indexed({
      ...others,
      'A.md': 'x [[Hidden]]',
      'B.md': 'y [[Hidden]] [[Open]]',
      'C.md': 'z [[Hidden]]',
      'Hidden.md': '[[A]] [[B]] [[C]]',
      'Open.md': 'w',
    })
    const seenBy = await index.related({ path: notePath('A.md') })
    expect(JSON.stringify(seenBy)).toContain('Hidden')
    const isVisible = async (path: string) => path !== 'Hidden.md'
    const answer = await index.related({ path: notePath('A.md'), includeLinked: true }, isVisible)
    expect(JSON.stringify(answer)).not.toMatch(/Hidden|link/)
  })
})

async function openedAfresh(vault: ReturnType<typeof memoryVault>) {
  const index = await openVaultIndex({ vault, store: memoryStore() })
  await index.readChanges()
  return index
}
