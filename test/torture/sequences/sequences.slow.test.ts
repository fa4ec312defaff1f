import { expect, it } from 'vitest'
import { seedOf } from '../../runner/seed.js'
import { storyOf, trySequences } from './try-sequences.js'

const sequences = 1000

it(`${sequences} generated sequences of faults leave every note old, new or as a user left it`, async () => {
  const seed = seedOf()
  console.log(`sequences of seeds ${seed} to ${seed + sequences - 1}; one again: npm run torture -- --seed <n>`)
  const { failing, faultsMet } = await trySequences(seed, sequences)
  expect(failing.flatMap(storyOf).join('\n')).toBe('')
  // A generator whose faults never occur would find nothing.
  expect(faultsMet).toBeGreaterThan(sequences / 2)
}, 900_000)
