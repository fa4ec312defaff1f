import { describe, expect, it } from 'vitest'
import { madeUpNotes } from '../samples/made-up-notes.js'
import { indexedInChromium } from './indexed-in-chromium.js'
import { indexedHere } from './indexed-notes.js'

describe('an index built in a web worker, with the vault in the page', () => {
  it("returns the same hits and scores as Node, without Node's globals", async () => {
    const { notes, queries } = madeUpNotes(300)
    const there = await indexedInChromium(import.meta.dirname, notes, queries)
    const here = await indexedHere(notes, queries)
    expect(there.nodeGlobals).toEqual(['undefined', 'undefined'])
    expect(here.answers.filter(({ hits }) => hits.length > 0).length).toBeGreaterThan(190)
    // Engines of different ages differ in the last digit of a logarithm.
    expect(rounded(there.answers)).toEqual(rounded(here.answers))
  })
})

function rounded(answers: unknown): unknown {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value)
  return JSON.parse(JSON.stringify(answers, round))
}
