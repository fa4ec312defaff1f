import { describe, expect, it } from 'vitest'
import { seedOf } from '../../runner/seed.js'
import { hosts } from './hosts.js'
import { storyOf, trySequences } from './try-sequences.js'

const sequences = 60

describe('every host of the change engine', () => {
  it.each(['memory', 'obsidian'] as const)('leaves every note old, new or as a user left it: %s', async (host) => {
    const { failing, faultsMet } = await trySequences(seedOf(), sequences, hosts[host])
    expect(failing.flatMap(storyOf).join('\n')).toBe('')
    // A generator whose faults never occur would find nothing.
    expect(faultsMet).toBeGreaterThan(sequences / 4)
  })
})
