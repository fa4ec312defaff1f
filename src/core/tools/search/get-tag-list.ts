import * as z from 'zod'
import { counted, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'

const mostTags = 500

export const getTagList = defineTool({
  name: 'get_tag_list',
  title: 'List tags',
  description: 'List the tags of the vault with their number of notes, most used first.',
  activity: 'Listing tags',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: z.object({}),
  example: {},
  output: z.object({
    tags: z.array(z.object({ tag: z.string(), notes: z.number() })),
    total: z.number(),
  }),

  async run(_, { index }) {
    const tags = await index.tags()
    const shown = tags.slice(0, mostTags).map(({ tag, notes }) => ({ tag: shortText(tag, 100), notes }))
    return { tags: shown, total: tags.length }
  },

  render({ tags, total }) {
    if (total === 0) return 'The vault has no tags.'
    const lines = tags.map(({ tag, notes }) => `#${tag} ${notes}`)
    const left = total - tags.length
    if (left > 0) lines.push(`${counted(left, 'rarer tag')} left out. Search for them by name.`)
    return lines.join('\n')
  },
  summary: ({ total }) => counted(total, 'tag'),
})
