import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../core/config/index.js'
import type { SearchAnswer } from '../../../core/index/index.js'
import { notePath } from '../../../core/vault/index.js'
import { style } from '../terminal/terminal.js'
import { textWidth } from '../terminal/text-width.js'
import { configured, highlight, searchRequest, showCorrections, showHits } from './search.js'

describe('dates', () => {
  it.each(['2025-01-31', '2025-01-31T18:30', '2025-01-31T18:30:05Z', '2025-01-31T18:30:05.123+02:00', '2024-02-29'])(
    'may be written %s',
    (date) => expect(searchRequest('x', { after: date }).after).toBe(date),
  )

  it.each([
    'yesterday',
    '2025',
    '31.01.2025',
    '2025-1-31',
    '2025-02-30',
    '2025-13-01',
    '2025-01-31T25:00',
    '',
    '2025-01-31 18:30',
  ])('may not be written "%s"', (date) => {
    expect(() => searchRequest('x', { before: date })).toThrow(`--before takes an ISO date, not "${date}"`)
  })

  it('must be in order; the same day is a range of one day', () => {
    expect(() => searchRequest('x', { after: '2025-02-01', before: '2025-01-31' })).toThrow(
      'End time must be after start time',
    )
    expect(() => searchRequest('x', { after: '2025-01-31T12:00', before: '2025-01-31' })).not.toThrow()
    expect(searchRequest('x', { after: '2025-01-31', before: '2025-01-31' })).toMatchObject({ before: '2025-01-31' })
  })
})

it('takes a folder however its slashes are typed', () => {
  for (const folder of ['Projects/Alpha', 'Projects/Alpha/', './Projects/Alpha', '/Projects/Alpha/']) {
    expect(searchRequest('x', { folder }).folder).toBe('Projects/Alpha')
  }
})

it('uses the settings only where nothing was typed', () => {
  const config = configSchema.parse({ search: { limit: 3, rank: 'lexical' } })
  expect(configured(searchRequest('x'), config)).toMatchObject({ limit: 3, rank: 'lexical' })
  expect(configured(searchRequest('x', { limit: 7, rank: 'semantic' }), config)).toMatchObject({
    limit: 7,
    rank: 'semantic',
  })
})

it('takes properties as name=value, each once', () => {
  expect(searchRequest('x', { property: ['status=done', 'url=a=b'] }).properties).toEqual({
    status: 'done',
    url: 'a=b',
  })
  expect(() => searchRequest('x', { property: ['status'] })).toThrow(
    '--property takes a name and a value, not "status"',
  )
  expect(() => searchRequest('x', { property: ['a=1', 'a=2'] })).toThrow('--property a is given twice')
})

const answer: SearchAnswer = {
  query: 'tomato',
  freshness: 'fresh',
  hits: [
    {
      path: notePath('Garden/Tomatoes.md'),
      title: 'Tomatoes',
      heading: 'Blight',
      lines: [12, 18],
      preview: 'Tomato blight\ncomes in August. '.repeat(20),
      score: 0.9234,
    },
    { path: notePath('汤.md'), title: '番茄汤 \x1b[31m', heading: '', lines: [1, 1], preview: '', score: 0.5 },
  ],
}

describe('hits for a user', () => {
  it('say title, score, place and passage, within the width', () => {
    const lines = showHits(answer, style(false), 60).split('\n')
    expect(lines[0]).toBe(`1  Tomatoes${' '.repeat(45)}0.92`)
    expect(lines[1]).toBe('   Garden/Tomatoes.md:12-18 › Blight')
    expect(lines).toContain('   汤.md:1')
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(60)
  })

  it('show no more than three lines of a passage', () => {
    const [first] = showHits(answer, style(false), 60).split('\n\n')
    expect(first.split('\n')).toHaveLength(5)
    expect(first.endsWith('…')).toBe(true)
  })

  it('paint the words that were searched for, and obey nothing a note says', () => {
    const shown = showHits(answer, style(true), 60)
    expect(shown).toContain('\x1b[33mTomato\x1b[39m blight')
    expect(shown).toContain('⟦U+001B⟧[31m')
  })

  it('explain the score when asked', () => {
    const [hit] = answer.hits
    const explained = { ...answer, hits: [{ ...hit, why: { lexical: { stem: 1.23456, title: 2 }, semantic: 0.5 } }] }
    expect(showHits(explained, style(false), 80)).toContain('lexical: stem 1.235, title 2')
  })
})

it('shows the corrected query', () => {
  expect(showCorrections(answer)).toBe('')
  expect(showCorrections({ ...answer, corrected: { tomatoe: 'tomato' } })).toBe(
    'Searched for "tomato": no note contains "tomatoe".',
  )
})

const marked = (text: string, query: string) => highlight(text, query, (word) => `<${word}>`)

it.each([
  ['Tomatoes and more', 'tomatoes', '<Tomatoes> and more'],
  ['a gardener gardens', 'gardens', 'a <gardener> <gardens>'],
  ['cart, art, artful', 'art', 'cart, <art>, <artful>'],
  ['红番茄汤', '番茄', '红<番茄>汤'],
  ['price (net) is $5.00', '(net) $', 'price (<net>) is $5.00'],
  ['nothing here', '', 'nothing here'],
  ['Übung macht', 'übung', '<Übung> macht'],
])('in "%s" finds %s', (text, query, expected) => expect(marked(text, query)).toBe(expected))

it('takes any query as words, never as a pattern', () => {
  expect(marked('a+b [c](d) \\', '.* [ ( \\ +')).toBe('a+b [c](d) \\')
})
