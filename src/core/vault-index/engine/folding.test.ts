import { expect, it } from 'vitest'
import { foldedAscii, foldedPage } from './folding.js'

it('ASCII is folded as Unicode says', () => {
  expect(foldedAscii).toEqual(foldedPage(0).slice(0, 128))
})
