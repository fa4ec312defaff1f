import fc from 'fast-check'
import { describe, it } from 'vitest'
import { toolcallCases } from './cases.js'
import { readerProperties } from './reader-properties.js'

// A million in `node bench/dialects/run.mjs`.
describe('for every reply', () => {
  it.each(readerProperties(toolcallCases))('$name', ({ property }) => fc.assert(property, { numRuns: 1500 }))
})
