import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** What each must say to have worked. */
const says: Record<string, RegExp> = {
  'ask-a-vault.ts': /Searching notes …[\s\S]*verbatim: Garden\/[\s\S]*answered after \d+ steps/,
  'custom-dialect.ts': /called read_note \{"path":"Garden\/Tomatoes\.md"\}\nThree kinds: /,
  'custom-tool.ts': /Counting words \(count_words\)\nGarden\/Tomatoes\.md has \d{2,} words\./,
  'scripted-model.ts': /\[\[Garden\/Seed Saving\]\] is verbatim\nKeep them dry/,
}

describe('examples', () => {
  it('are all run here', () => {
    const files = readdirSync('examples').filter(
      (name) => name.endsWith('.ts') && !['scene.ts', 'model-from.ts'].includes(name),
    )
    expect(files.sort()).toEqual(Object.keys(says))
  })

  it.each(Object.keys(says))('%s does what it says', (file) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/run-example.mjs', `examples/${file}`], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(says[file])
  })
})
