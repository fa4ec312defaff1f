import { describe, expect, it } from 'vitest'
import { notePath } from '../../../../core/vault/index.js'
import type { SearchAnswer } from '../../../../core/vault-index/index.js'
import { style, textWidth } from '../../terminal/index.js'
import { showCorrections, showHits } from './show-hits.js'

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

describe('hits for a person', () => {
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

it('tells what was searched instead of what was typed', () => {
  expect(showCorrections(answer)).toBe('')
  expect(showCorrections({ ...answer, corrected: { tomatoe: 'tomato' } })).toBe(
    'Searched for "tomato": no note contains "tomatoe".',
  )
})
