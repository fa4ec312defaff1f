import { expect, it } from 'vitest'
import { seedOf } from '../runner/seed.js'
import { filesIn, refactorVault } from './refactors/refactors.js'

/** `npm run torture -- --only refactors` plays more, also on other vaults. */
const count = 60

it('merges, splits and renames on the sample vault break no link, change no other text, and can be undone', async () => {
  const story: string[] = []
  const { trials, losses } = await refactorVault('sample vault', filesIn('examples/vault'), {
    seed: seedOf(),
    count,
    story: (line) => story.push(line),
  })
  expect(losses, story.join('\n')).toBe(0)
  expect(trials).toBe(count)
}, 300_000)
