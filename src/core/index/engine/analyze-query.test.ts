import { expect, it } from 'vitest'
import { dateSequences } from './analyze-query.js'

it.each([
  ['9 january 2026', [['2026', '01', '09']]],
  ['january 9th 2026', [['2026', '01', '09']]],
  ['december 2025', [['2025', '12']]],
  ['week 52 of 2022', [['2022', 'w52']]],
  ['3 мая 2024', [['2024', '05', '03']]],
  ['may I go', []],
  ['week 60 of 2022', []],
  ['2022', []],
])('reads %s', (text, rows) => expect(dateSequences(text.split(' '))).toEqual(rows))
