import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.js'

const names = ['index', 'search', 'links', 'move', 'status', 'history']

it.each([
  ['serach', 'search'],
  ['idnex', 'index'],
  ['link', 'links'],
  ['mvoe', 'move'],
  ['STATUS', 'status'],
  ['banana', undefined],
  ['x', undefined],
  ['', undefined],
])('takes %s for %s', (typed, meant) => {
  expect(nearestName(typed, names)).toBe(meant)
})

it('answers at once for absurdly long input', () => {
  expect(nearestName('a'.repeat(10_000_000), names)).toBeUndefined()
})
