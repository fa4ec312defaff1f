import { expect, it } from 'vitest'
import { nearestName } from './closest-match.js'

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
])('reads %s as %s', (typed, meant) => {
  expect(nearestName(typed, names)).toBe(meant)
})

it('handles very long input', () => {
  expect(nearestName('a'.repeat(10_000_000), names)).toBeUndefined()
})
