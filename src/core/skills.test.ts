import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillPrompt, type InstructionFolder, readPrompts, readSkills } from './skills.js'

function folder(
  kind: InstructionFolder['kind'],
  from: InstructionFolder['from'],
  files: Record<string, string>,
): InstructionFolder {
  const names = [...new Set(Object.keys(files).map((path) => path.split('/')[0]))]
  return { kind, from, name: `.${from}`, list: async () => names, read: async (path) => files[path] }
}

const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# How\n\nDo it.\n`

async function read(...folders: InstructionFolder[]) {
  const troubles: string[] = []
  return { skills: await readSkills(folders, (text) => troubles.push(text)), troubles }
}

describe('skills', () => {
  it('are read with their name and description, and their text and files on demand', async () => {
    const files = { 'peas/SKILL.md': skill('peas', 'Sow peas.'), 'peas/references/When.md': 'In March.' }
    const { skills, troubles } = await read(folder('skills', 'vault', files))
    expect(skills).toMatchObject([{ name: 'peas', description: 'Sow peas.', from: 'vault' }])
    expect(await skills[0].read()).toBe('# How\n\nDo it.')
    expect(await skills[0].read('references/When.md')).toBe('In March.')
    expect(await skills[0].read('references/None.md')).toBeUndefined()
    expect(troubles).toEqual([])
  })

  it('are left out with a reason if they are invalid, but accepted if only their YAML is', async () => {
    const { skills, troubles } = await read(
      folder('skills', 'vault', {
        'Big Name/SKILL.md': skill('Big Name', 'x'),
        'long/SKILL.md': skill('long', 'x'.repeat(1025)),
        'mute/SKILL.md': '# nothing said',
        'colon/SKILL.md': '---\nname: colon\ndescription: Use it when: the person says "so".\n---\nText.',
        'empty/other.md': 'x',
      }),
    )
    expect(skills).toMatchObject([{ name: 'colon', description: 'Use it when: the person says "so".' }])
    expect(troubles).toHaveLength(3)
  })

  it("are listed once, the user's own first", async () => {
    const { skills } = await read(
      folder('skills', 'person', { 'peas/SKILL.md': skill('peas', 'Mine.') }),
      folder('skills', 'vault', { 'peas/SKILL.md': skill('peas', 'Theirs.') }),
    )
    expect(skills).toMatchObject([{ description: 'Mine.', from: 'person' }])
  })
})

describe('prompt files', () => {
  it('are read by name, and other files are ignored', async () => {
    const files = {
      'Weekly.md': '---\ndescription: Look back\n---\nSum up $ARGUMENTS',
      'x.txt': 'no',
      '.hidden.md': 'no',
    }
    expect(await readPrompts([folder('prompts', 'vault', files)], () => {})).toEqual([
      { name: 'weekly', description: 'Look back', from: 'vault', text: 'Sum up $ARGUMENTS' },
    ])
  })

  const filled = (text: string, words: string) => fillPrompt({ name: 'p', text }, words)

  it('are filled with the words after their name', () => {
    expect(filled('Sum up $ARGUMENTS now.', 'last week')).toBe('Sum up last week now.')
    expect(filled('Write about {{topic}}.', 'green peas')).toBe('Write about green peas.')
    expect(filled('{{a}} and {{ b }}: $ARGUMENTS', 'a=1 b="two words" the rest x=3')).toBe(
      '1 and two words: the rest x=3',
    )
    expect(filled('Do it.', 'at once')).toBe('Do it.\n\nat once')
    expect(filled('Do $ARGUMENTS.', '')).toBe('Do .')
  })

  it('name the values they still need', () => {
    expect(() => filled('{{a}} {{b}}', 'a=1')).toThrow('needs b')
  })

  it('never fill gaps inside filled-in text', () => {
    fc.assert(
      fc.property(fc.constantFrom('$ARGUMENTS', '{{a}}', '{{b}}', '$&', '$1'), (words) => {
        expect(filled('<$ARGUMENTS>', words)).toBe(`<${words}>`)
      }),
    )
  })
})
