import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSearchText } from './search.js'

const nothing = { text: '', excluded: [], tags: [], notTags: [], paths: [], notPaths: [] }

it.each([
  ['soup tag:recipe', { text: 'soup', tags: ['recipe'] }],
  ['tag:#recipe/quick', { tags: ['#recipe/quick'] }],
  ['-tag:old soup', { text: 'soup', notTags: ['old'] }],
  ['path:"Daily notes/2026" soup', { text: 'soup', paths: ['Daily notes/2026'] }],
  ['soup -path:Archive', { text: 'soup', notPaths: ['Archive'] }],
  ['soup -leek -"sour cream"', { text: 'soup', excluded: ['leek', 'sour cream'] }],
  ['"hot soup" now', { text: '"hot soup" now' }],
  ['git rev-parse --show-toplevel', { text: 'git rev-parse --show-toplevel' }],
  ['ethtool -s wol g', { text: 'ethtool -s wol g' }],
  ['a - b', { text: 'a - b' }],
  ['tag: soup', { text: 'tag: soup' }],
])('reads %s', (query, expected) => expect(readSearchText(query)).toEqual({ ...nothing, ...expected }))

it('loses no word of any query', () => {
  const part = fc.constantFrom('soup', '-leek', '"hot soup"', 'tag:a', '-path:"b c"', '"open', '-', '--x', 'a:b')
  fc.assert(
    fc.property(fc.array(part), (given) => {
      const { text, ...rest } = readSearchText(given.join(' '))
      const words = (from: string) =>
        (from.match(/[a-z]+/g) ?? []).filter((word) => word !== 'tag' && word !== 'path').sort()
      expect(words([text, ...Object.values(rest).flat()].join(' '))).toEqual(words(given.join(' ')))
    }),
  )
})
