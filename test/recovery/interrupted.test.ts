import fc from 'fast-check'
import { describe, it } from 'vitest'
import { howOften } from '../runner/how-often.js'
import { made } from './changes.js'
import { expectLinksWhole, expectSettles, expectUndone, expectWhole } from './expect-whole.js'
import { type Interruption, interruptions } from './interruptions.js'
import { liveThrough, type Survived } from './live-through.js'

const changes = Object.keys(made)
const trials = howOften(125, 5000)

describe('a change that is interrupted, by anything and any number of times', () => {
  it('leaves every note old, new or as the user left it, all as the history says', () => everyInterruption(expectWhole))

  it('never leaves a link to a note that was not moved, after a kill and one edit', () =>
    everyInterruption(async ({ change, fault, losesPower, starts }, survived) => {
      const acts = starts.flatMap(({ act }) => act ?? [])
      const isKilled = fault.how === 'crash' && !survived.hasGoneBack && !losesPower
      if (!/rename|links/.test(change) || !isKilled || acts.length !== 1 || !/edit|save/.test(acts[0].how)) return
      await expectLinksWhole(survived)
    }))

  it('keeps both versions of an undecided note, and resolves it either way', () => everyInterruption(expectSettles))

  it('is undone, or reports correctly why not', () => everyInterruption(expectUndone))
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
