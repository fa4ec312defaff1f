import { expect, it } from 'vitest'
import { knowledgeOf } from './knowledge-of-query.js'
import type { LsaModel } from './lsa-model.js'
import { askedTerms } from './testing/asked-terms.js'

/** Two directions; `rope` and `sail` are told well, `knot` hardly. */
const model: LsaModel = {
  id: 'm',
  dimension: 2,
  terms: ['knot', 'rope', 'sail'],
  idf: new Float32Array([2, 1, 1]),
  vectors: new Int8Array([0, 1, 100, 0, 0, 100]),
  scales: new Float32Array([0.01, 0.01, 0.01]),
}
const known = (...words: string[]) => knowledgeOf(model, askedTerms(words.map((word) => [word, 1])), 20)

it('is less for words the model tells less of, and nothing for words it does not have', () => {
  expect(known('rope', 'sail')).toBeGreaterThan(known('rope', 'knot'))
  expect(known('rope', 'sail')).toBeGreaterThan(known('rope', 'a4711'))
  expect(known('a4711')).toBe(0)
  expect(known()).toBe(0)
})

it('is less for one word than for several', () => {
  expect(known('rope', 'sail')).toBeGreaterThan(known('rope'))
})
