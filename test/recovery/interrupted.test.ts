import fc from 'fast-check'
import { describe, it } from 'vitest'
import { howOften } from '../how-often.js'
import { made } from './changes.js'
import { expectLinksWhole, expectSettles, expectUndone, expectWhole } from './expect-whole.js'
import { type Interruption, interruptions } from './interruptions.js'
import { liveThrough, type Survived } from './live-through.js'

const changes = Object.keys(made)
const trials = howOften(125, 5000)

describe('a change that is cut off, whatever cuts it off and however often', () => {
  it('leaves every note old, new or as a person left it, all on the side that the history tells', () =>
    everyInterruption(expectWhole))

  it('never leaves a link to a note that was not moved, where a kill and one edit came between', () =>
    everyInterruption(async ({ change, fault, losesPower, starts }, survived) => {
      const acts = starts.flatMap(({ act }) => act ?? [])
      const isKilled = fault.how === 'crash' && !survived.hasGoneBack && !losesPower
      if (!/rename|links/.test(change) || !isKilled || acts.length !== 1 || !/edit|save/.test(acts[0].how)) return
      await expectLinksWhole(survived)
    }))

  it('keeps both versions of what it could not decide, and settles it each way', () => everyInterruption(expectSettles))

  it('is undone, or says truly why not', () => everyInterruption(expectUndone))
})

/** Plays many, and tells the shortest that fails. */
function everyInterruption(check: (interruption: Interruption, survived: Survived) => Promise<void>): Promise<void> {
  return fc.assert(
    fc.asyncProperty(interruptions(changes), async (interruption) =>
      check(interruption, await liveThrough(interruption)),
    ),
    { numRuns: trials },
  )
}
