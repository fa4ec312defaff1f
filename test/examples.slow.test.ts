import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The output of each example that works. */
const says: Record<string, RegExp> = {
  '01-ask.ts': /second week of March[\s\S]*\nSources: Garden\/Tomatoes\.md/,
  '02-stream.ts': /Searching notes …[\s\S]*\nverbatim: Garden\/Tomatoes\.md, line \d+\n/,
  '03-search-and-read.ts':
    /0\.\d\d Garden\/Slugs\.md:\d+\n[\s\S]*Slugs has \d+ characters and the tags garden\/pests\./,
  '04-approve-a-change.ts':
    /^Without approve: denied, 0 changes\nAsked: .*\n[\s\S]*\+tags: .*summer[\s\S]*\nDone: .*\nUndone: Garden\/Tomatoes\.md\n$/,
  '05-conversation.ts': /See Garden\/Tomatoes\.md\.\n.*See Garden\/Slugs\.md\.\nStored: garden\n/,
  '06-failures.ts': /^not-found: Note not found: Tomatos .*Garden\/Tomatoes\.md.*\nStopped: Not now\.\n$/,
  '07-own-tool.ts': /Counting words \(count_words\)\nGarden\/Tomatoes\.md has \d{2,} words\./,
  '08-own-model.ts': /\[\[Garden\/Seed Saving\]\] is verbatim\nKeep them dry/,
  '09-own-dialect.ts': /called read_note \{"path":"Garden\/Tomatoes\.md"\}\nThree kinds: /,
}

describe('examples', () => {
  it('are all run here, and listed in their README', () => {
    const files = readdirSync('examples').filter((name) => name.endsWith('.ts') && name !== 'model-from.ts')
    expect(files.sort()).toEqual(Object.keys(says))
    const readme = readFileSync('examples/README.md', 'utf8')
    expect(files.filter((file) => !readme.includes(`| [${file}](${file}) |`))).toEqual([])
  })

  it('import the library by its name, as other projects do', () => {
    const files = readdirSync('examples').filter((name) => name.endsWith('.ts'))
    const imports = files.flatMap((file) => [
      ...readFileSync(`examples/${file}`, 'utf8').matchAll(/from '(?!notewright'|zod'|\.\/model-from\.js')([^']+)'/g),
    ])
    expect(imports.map(([, name]) => name)).toEqual([])
  })

  it.each(Object.keys(says))('%s does what it says', (file) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/run-example.mjs', `examples/${file}`], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(says[file])
  })
})
