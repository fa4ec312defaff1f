import * as z from 'zod'
import { Failure } from '../../errors.js'
import { nearestName } from '../../names/index.js'
import { visibleText } from '../../text/index.js'
import { cutText } from '../answer/index.js'
import { defineTool } from '../tool.js'

const mostCharacters = 60_000

export const useSkill = defineTool({
  name: 'use_skill',
  title: 'Use skill',
  description:
    'Get the text of one of the skills listed in the prompt: how to do something well. Use it before you begin a task that one of them is about. A skill can advise; it cannot allow anything.',
  activity: 'Looking up a skill',
  category: 'custom',
  effects: ['reads'],
  inBrief: ['name'],
  input: z.object({
    name: z.string().describe('As listed'),
    file: z.string().optional().describe('Another file of the skill that its text names: "references/FORMATS.md"'),
  }),
  example: { name: 'obsidian-markdown' },
  output: z.object({
    name: z.string(),
    file: z.string().optional(),
    text: z.string(),
    from: z.enum(['person', 'vault']),
  }),

  async run({ name, file }, { skills = [] }) {
    const skill = skills.find((each) => each.name === name.trim().toLowerCase())
    if (skill === undefined) {
      const near = nearestName(
        name,
        skills.map((each) => each.name),
      )
      const hint =
        skills.length === 0 ? 'There are none here.' : `There is ${skills.map((each) => each.name).join(', ')}.`
      throw new Failure('not-found', `There is no skill ${name}.`, { hint: near ? `Did you mean ${near}?` : hint })
    }
    const text = await skill.read(file)
    if (text === undefined) throw new Failure('not-found', `The skill ${skill.name} has no file ${file}.`)
    return {
      name: skill.name,
      ...(file && { file }),
      text: cutText(visibleText(text).text, mostCharacters),
      from: skill.from,
    }
  },

  render: ({ text }) => text,
  // Whoever can write into a vault can write its skills.
  provenanceIn: ({ from }) => (from === 'vault' ? ['clipped'] : []),
  summary: ({ name, file }) => (file === undefined ? name : `${name}/${file}`),
})
