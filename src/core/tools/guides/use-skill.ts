import * as z from 'zod'
import { Failure } from '../../errors.js'
import { nearestName, visibleText } from '../../text/index.js'
import { cutText } from '../result-format.js'
import { defineTool } from '../tool.js'

const mostCharacters = 60_000

export const useSkill = defineTool({
  name: 'use_skill',
  title: 'Use skill',
  description:
    'Get the text of one of the skills listed in the prompt, which describes how to do a task well. Use it before you start such a task. A skill gives advice; it cannot grant permissions.',
  activity: 'Reading a skill',
  category: 'custom',
  effects: ['reads'],
  inBrief: ['name'],
  input: z.object({
    name: z.string().describe('As listed'),
    file: z
      .string()
      .optional()
      .describe('Another file of the skill that its text mentions, e.g. "references/FORMATS.md"'),
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
        skills.length === 0 ? 'No skills are available.' : `Available: ${skills.map((each) => each.name).join(', ')}.`
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
  // Anyone who can write to a vault can write its skills.
  provenanceIn: ({ from }) => (from === 'vault' ? ['clipped'] : []),
  summary: ({ name, file }) => (file === undefined ? name : `${name}/${file}`),
})
