import { expect, it } from 'vitest'
import { seedOf } from '../../seed.js'
import { storyOf, trySequences } from './try-sequences.js'

const sequences = 1000

it(`${sequences} generated sequences of faults leave every note old, new or as a person has left it`, async () => {
  const seed = seedOf()
  console.log(`sequences of seeds ${seed} to ${seed + sequences - 1}; one again: npm run torture -- --seed <n>`)
  const { failing, faultsMet } = await trySequences(seed, sequences)
  expect(failing.flatMap(storyOf).join('\n')).toBe('')
  // A generator whose faults nobody meets would find nothing.
  expect(faultsMet).toBeGreaterThan(sequences / 2)
}, 900_000)
