import { describe, expect, it } from 'vitest'
import { quote } from './write-answer.js'

describe('quote', () => {
  it('uses quotation marks that do not occur in the sentence', () => {
    expect(quote('Compost feeds the soil.')).toBe('"Compost feeds the soil."')
    expect(quote('She wrote "fair" there.')).toBe('“She wrote "fair" there.”')
    expect(quote('A "b" and “c”.')).toBe('«A "b" and “c”.»')
    expect(quote('A "b" “c” «d».')).toBeUndefined()
  })

  it('cuts a very long sentence between words, with an ellipsis', () => {
    const words = quote('word '.repeat(150).trim()) ?? ''
    expect(words).toMatch(/word"…$/)
    expect(words.length).toBeLessThan(420)
  })
})
