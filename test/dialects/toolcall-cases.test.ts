import { describe, expect, it } from 'vitest'
import { readReply } from '../../src/core/dialects/index.js'
import { howOften } from '../runner/how-often.js'
import { toolcallCases } from './cases.js'
import { cutAtRandom, randomNumbers } from './cuttings.js'
import { expectationOf, optionsOf, outcomeOf } from './toolcall-case.js'

const cuttings = howOften(20, 200)

describe('replies are read as the cases expect', () => {
  it('has all cases', () => expect(toolcallCases.length).toBeGreaterThanOrEqual(136))

  it.each(toolcallCases)('$id ($level): $note', (example) => {
    const reply = readReply([example.text], optionsOf(example))
    expect(outcomeOf(reply, example)).toEqual(expectationOf(example))
  })
})

describe('replies are read alike for every chunking', () => {
  it.each(toolcallCases)('$id by single characters', (example) => {
    const whole = readReply([example.text], optionsOf(example))
    expect(readReply(example.text.split(''), optionsOf(example))).toEqual(whole)
  })

  it.each(toolcallCases)(`$id in ${cuttings} random cuttings`, (example) => {
    const whole = readReply([example.text], optionsOf(example))
    const random = randomNumbers(example.id)
    for (let round = 0; round < cuttings; round++) {
      const pieces = cutAtRandom(example.text, random)
      expect(readReply(pieces, optionsOf(example)), JSON.stringify(pieces).slice(0, 2000)).toEqual(whole)
    }
  })
})

describe('a dialect with a marker', () => {
  const marked = toolcallCases.filter(
    ({ id }) => !/^tc-(llama3-json-01|xlam|pythonic-0[14])|^fam-(sentinel-line|tool-tag)/.test(id),
  )
  it.each(marked)('is also read if all dialects are on: $id', (example) => {
    const reply = readReply([example.text], { ...optionsOf(example), format: 'any' })
    expect(outcomeOf(reply, example)).toEqual(expectationOf(example))
  })
})
