import { expect, it } from 'vitest'
import { notePath } from '../../../../core/vault/index.js'
import { style } from '../../terminal/index.js'
import { showRelated } from './related.js'

it('shows each related note with where it lies and why, and obeys nothing a note says', () => {
  const shown = showRelated(
    {
      path: notePath('A.md'),
      named: [],
      notes: [
        { path: notePath('Garden/B.md'), title: 'B \x1b[31m', reasons: ['Both link to C', 'Same folder'] },
        { path: notePath('D.md'), title: 'D', reasons: ['Near in meaning'], isLinked: true },
      ],
    },
    style(false),
    60,
  )
  expect(shown.split('\n')).toEqual([
    '1  B ⟦U+001B⟧[31m',
    '   Garden/B.md',
    '   Both link to C',
    '   Same folder',
    '',
    '2  D',
    '   D.md',
    '   Near in meaning',
    '   Linked already',
  ])
})
