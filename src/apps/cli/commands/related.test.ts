import { expect, it } from 'vitest'
import { notePath } from '../../../core/vault/index.js'
import { style } from '../terminal/terminal.js'
import { showRelated } from './related.js'

it('shows each related note with its path and reason, and escapes its text', () => {
  const shown = showRelated(
    {
      path: notePath('A.md'),
      named: [],
      notes: [
        { path: notePath('Garden/B.md'), title: 'B \x1b[31m', reasons: ['Both link to C', 'Same folder'] },
        { path: notePath('D.md'), title: 'D', reasons: ['Similar meaning'], isLinked: true },
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
    '   Similar meaning',
    '   Already linked',
  ])
})
