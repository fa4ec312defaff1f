import { expect, it } from 'vitest'
import { visibleBlanks } from './visible-blanks.js'

it.each([
  ['two words', 'two words'],
  ['a  b', 'a··b'],
  [`a${' '.repeat(300)}b`, 'a⟦300 blanks⟧b'],
  ['a\tb', 'a→b'],
  ['a\n\n\n\n\nb', 'a\n⟦4 empty lines⟧\nb'],
])('draws the room in %j', (text, drawn) => expect(visibleBlanks(text)).toBe(drawn))
