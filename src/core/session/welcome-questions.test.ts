import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchAnswer } from '../index/index.js'
import { memoryVault, type NotePath } from '../vault/index.js'
import { welcomeQuestions } from './welcome-questions.js'

const prose = 'Late blight comes with warm rain in August, and goes with the first frost.'

async function asked(notes: Record<string, string>, hidden: string[] = []): Promise<string[]> {
  const vault = memoryVault({ files: notes })
  const read = async (path: NotePath) => (hidden.includes(path) ? undefined : vault.read(path))
  return welcomeQuestions({ vault, read })
}

describe('suggested questions', () => {
  it('are questions that headings and titles ask', async () => {
    const questions = await asked({
      'House/Roof.md': `# The roof\n\n## Who repairs the gutter?\n\n${prose}\n`,
      'Work/Editors.md': `# Vim vs. Emacs\n\n${prose}\n`,
      'Garden/Roses.md': `# How to prune roses\n\n${prose}\n`,
      'Garden/Sheds/Shed.md': `# The shed\n\n## How we choose tools\n\n${prose}\n`,
    })
    expect(questions.sort()).toEqual([
      'How do I prune roses?',
      'How do we choose tools?',
      'What is the difference between Vim and Emacs?',
      'Who repairs the gutter?',
    ])
  })

  it('are about definitions, people, decisions and tasks', async () => {
    const questions = await asked({
      'A/Levain.md': '# Levain\n\nLevain is a mixture of flour and water that the baker feeds every day.\n',
      'B/Mara.md': `---\ntype: person\n---\n# Mara\n\n${prose}\n`,
      'C/Meeting.md': `# Summer meeting\n\n## Decisions\n\n${prose}\n`,
      'D/Tasks.md': '- [ ] one\n- [ ] two\n- [x] done\n- [ ] three\n',
    })
    expect(questions.sort()).toEqual([
      'What is Levain?',
      'What was decided in “Summer meeting”?',
      'Which tasks are still open?',
      'Who is Mara?',
    ])
  })

  it('are in the language of the note', async () => {
    expect(
      await asked({
        'A.md': '# Sauerteig\n\nDer Sauerteig ist ein Teig aus Mehl und Wasser, der mit der Zeit sauer wird.\n',
      }),
    ).toEqual(['Was ist Sauerteig?'])
    expect(
      await asked({ 'A.md': '# Levain\n\nLe levain est une pâte de farine et d’eau que le boulanger nourrit.\n' }),
    ).toEqual(['Qu’est-ce que Levain ?'])
    expect(
      await asked({ 'A.md': '# Masa madre\n\nLa masa madre es una mezcla de harina y agua que se alimenta.\n' }),
    ).toEqual(['¿Qué es Masa madre?'])
  })

  it('are not made where the notes give none: no private, hidden or empty notes, no templates', async () => {
    const questions = await asked(
      {
        'Secret.md': `---\nprivate: true\n---\n# Wedding\n\n## Who is invited to the party?\n\n${prose}\n`,
        'Hidden.md': `# Surprise party\n\n## Who brings the balloons?\n\n${prose}\n`,
        'Empty.md': '# Plans\n\n## When do we leave for home?\n\n## Later perhaps\n',
        'Vague.md': `# Ideas\n\n## Why?\n\n${prose}\n\n## What is this about?\n\n${prose}\n\n## Questions?\n\n${prose}\n`,
        'Tomatoes.md': `# Tomatoes\n\n## Late blight\n\n${prose}\n`,
        'Past.md': `# Moving\n\n## Why we moved away\n\n${prose}\n`,
        '2024-01-02.md': `## Morning walk\n\n${prose}\n`,
      },
      ['Hidden.md'],
    )
    expect(questions).toEqual([])
  })

  it('are offered only if a search for them finds their note', async () => {
    const vault = memoryVault({
      files: {
        'A.md': `# Gutters\n\n## Who repairs the gutter?\n\n${prose}\n`,
        'B.md': `# Roofs\n\n## Who pays for the roof?\n\n${prose}\n`,
      },
    })
    const search = async (query: string) =>
      ({ query, freshness: 'fresh', hits: [{ path: 'B.md' }] }) as unknown as SearchAnswer
    const read = (path: NotePath) => vault.read(path)
    expect(await welcomeQuestions({ vault, read, search })).toEqual(['Who pays for the roof?'])
    const failing = () => Promise.reject(new Error('not ready'))
    expect(await welcomeQuestions({ vault, read, search: failing })).toEqual([])
  })

  it('are at most four, each once, whatever the notes contain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 60, unit: 'grapheme' }), { maxLength: 12 }),
        async (headings) => {
          const notes = Object.fromEntries(
            headings.map((heading, at) => [`${at}.md`, `# Note of ${at} things\n\n## ${heading}?\n\n${prose}\n`]),
          )
          const questions = await asked(notes)
          expect(questions.length).toBeLessThanOrEqual(4)
          expect(new Set(questions).size).toBe(questions.length)
          for (const question of questions) expect(question).toMatch(/^[^\n]{4,140}$/u)
        },
      ),
      { numRuns: 50 },
    )
  })
})
