import { describe, expect, it } from 'vitest'
import type { NotePath } from '../../core/vault/index.js'
import { bestLine, markedText, reasonOf, relevantHits, snippetOf } from './relevant-hits.js'

const hit = {
  path: 'A.md' as NotePath,
  title: 'A',
  heading: 'Soil',
  lines: [1, 2] as [number, number],
  preview: 'the soil',
  score: 0.1,
}
const answer = (why: Record<string, unknown>, words = ['beans']) => ({
  query: 'beans',
  freshness: 'fresh' as const,
  words,
  hits: [{ ...hit, why }],
})

describe('a hit', () => {
  it('is shown if a word of the query occurs, if its name fits, or if it is near by meaning', () => {
    expect(relevantHits(answer({ contentTerms: ['bean'] }))).toHaveLength(1)
    expect(relevantHits(answer({ contentTerms: [], name: 1 }))).toHaveLength(1)
    expect(reasonOf(hit, answer({}))).toBe('filter')
    expect(reasonOf(answer({ noteMeaning: 0.4 }).hits[0]!, answer({ noteMeaning: 0.4 }))).toBe('meaning')
  })

  it('is shown while its word is typed', () =>
    expect(relevantHits(answer({ contentTerms: [] }, ['soi']))).toHaveLength(1))

  it('is left out if it has only function words of the query', () => {
    expect(relevantHits(answer({ contentTerms: [], terms: { the: 3 }, noteMeaning: 0 }))).toEqual([])
  })

  it('of a query of filters alone is shown', () => {
    const { words: _, ...filtered } = answer({})
    expect(relevantHits(filtered)).toHaveLength(1)
  })
})

describe('the line of a hit', () => {
  it('has most of the words', () => {
    const found = { ...hit, lines: [5, 8] as [number, number], text: '# Beans\n\nNothing.\nBeans fix nitrogen.' }
    expect(bestLine(found, ['beans', 'nitrogen'])).toBe(8)
    expect(bestLine(found, ['beans'])).toBe(8)
    expect(bestLine(found, ['peas'])).toBe(5)
  })
})

describe('the snippet of a hit', () => {
  const text = `## Soil\n\n${'Nothing here. '.repeat(30)}The **beans** fix [[Nitrogen|nitrogen]] and beans climb. ${'Nothing. '.repeat(40)}`
  const snippet = snippetOf({ ...hit, text }, ['nitrogen', 'beans'])

  it('is plain text around most of the words', () => {
    expect(snippet).toContain('The beans fix nitrogen and beans climb.')
    expect(snippet).not.toContain('Soil')
    expect(snippet.length).toBeLessThan(240)
  })

  it('has its words marked, neighbours together', () => {
    const marks = markedText('Bean poles: beans fix nitrogen.', ['beans', 'fix']).filter(({ isMatch }) => isMatch)
    expect(marks.map((one) => one.text)).toEqual(['beans fix'])
  })
})
