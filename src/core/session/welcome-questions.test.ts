import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryVault, type NotePath } from '../vault/index.js'
import { welcomeQuestions } from './welcome-questions.js'

const prose = 'Late blight comes with warm rain in August, and goes with the first frost.'

async function asked(notes: Record<string, string>, hidden: string[] = []): Promise<string[]> {
  const vault = memoryVault({ files: notes })
  const read = async (path: NotePath) => (hidden.includes(path) ? undefined : vault.read(path))
  return welcomeQuestions({ vault, read })
}

it('asks about what a section of a note says, and takes a heading that is a question as it is', async () => {
  const questions = await asked({
    'Garden/Tomatoes.md': `# Tomatoes\n\n## Late blight\n\n${prose}\n`,
    'House/Roof.md': `# The roof\n\n## Who mends the gutter?\n\n${prose}\n`,
  })
  expect(questions.sort()).toEqual(['What does “Tomatoes” say about Late blight?', 'Who mends the gutter?'])
})

it('asks about notes themselves where too few have sections', async () => {
  const questions = await asked({
    'Tomatoes.md': `# Tomatoes\n\n## Late blight\n\n${prose}\n`,
    'Beans.md': `---\ntags: [garden]\n---\n${prose}\n`,
    'Soup.md': `# Tomato soup\n\n${prose}\n`,
    'Draft.md': 'Later.\n',
  })
  expect(questions).toEqual([
    'What does “Tomatoes” say about Late blight?',
    'What do my notes say about Beans?',
    'What do my notes say about Tomato soup?',
  ])
})

it('says nothing of private or hidden notes, of empty sections, dates and headings that every note has', async () => {
  const questions = await asked(
    {
      'Secret.md': `---\nprivate: true\n---\n# Wedding\n\n## Guest list\n\n${prose}\n`,
      'Hidden.md': `# Surprise party\n\n## Balloons\n\n${prose}\n`,
      'Empty.md': '# Plans\n\n## Someday maybe\n\n## Later perhaps\n',
      'Code.md':
        '# Scripts\n\n## Backup script\n\n```sh\nrsync -a --delete /home/me /mnt/backup/of/the/home/folder.\n```\n',
      '2024-01-02.md': `## Morning walk\n\n${prose}\n`,
      'Guide.md': `# Introduction\n\n## Overview\n\n${prose}\n`,
    },
    ['Hidden.md'],
  )
  expect(questions).toEqual([])
})

it('is at most three, each of another note, whatever the notes hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 60, unit: 'grapheme' }), { maxLength: 12 }), async (headings) => {
      const notes = Object.fromEntries(
        headings.map((heading, at) => [`${at}.md`, `# Note of ${at} things\n\n## ${heading}\n\n${prose}\n`]),
      )
      const questions = await asked(notes)
      expect(questions.length).toBeLessThanOrEqual(3)
      expect(new Set(questions).size).toBe(questions.length)
      for (const question of questions) expect(question).toMatch(/^[^\n]{4,140}$/u)
    }),
    { numRuns: 50 },
  )
})
