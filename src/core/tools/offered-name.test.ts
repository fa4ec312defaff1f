import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOfferable, mayBeOffered, offeredName } from './offered-name.js'

describe('the name a server’s tool is offered by', () => {
  it('is the server and the tool where that is a name', () => {
    expect(offeredName({ server: 'a', tool: 'b_c' })).toBe('a__b_c')
    expect(offeredName({ server: 'a_b', tool: 'c' })).toBe('a_b__c')
  })

  it.each([
    ['a__b', 'c', /^a_b_c_[0-9a-f]{12}$/],
    ['a_', '_b', /^a_b_[0-9a-f]{12}$/],
    ['a', 'files/read', /^a_files_read_[0-9a-f]{12}$/],
    ['1password', 'get', /^mcp_1password_get_[0-9a-f]{12}$/],
    ['a', '読む', /^a_[0-9a-f]{12}$/],
    ['a', 'x'.repeat(100), /^a_x{49}_[0-9a-f]{12}$/],
  ])('has a hash for %s and %s', (server, tool, expected) => {
    expect(offeredName({ server, tool })).toMatch(expected)
  })

  const word = fc.string({ unit: fc.constantFrom(...'ab_-./ é0'), minLength: 1, maxLength: 8 })
  const server = fc.stringMatching(/^[ab0][ab0_.-]{0,7}$/)
  const foreign = fc.record({ server, tool: fc.oneof(word, fc.string({ minLength: 1, maxLength: 128 })) })

  it('is one every provider takes, the same each time, and known for its server’s', () => {
    fc.assert(
      fc.property(foreign, (one) => {
        const name = offeredName(one)
        expect(isOfferable(name)).toBe(true)
        expect(offeredName({ ...one })).toBe(name)
        expect(isOfferable(offeredName(one, () => true))).toBe(true)
        expect(mayBeOffered(name, one.server)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('is never that of another tool', () => {
    fc.assert(
      fc.property(foreign, foreign, fc.boolean(), fc.boolean(), (one, other, isTaken, isOtherTaken) => {
        fc.pre(one.server !== other.server || one.tool !== other.tool)
        expect(offeredName(one, () => isTaken)).not.toBe(offeredName(other, () => isOtherTaken))
      }),
      { numRuns: 2000 },
    )
  })
})
