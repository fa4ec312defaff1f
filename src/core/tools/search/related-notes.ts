import * as z from 'zod'
import { notePath } from '../../vault/index.js'
import { counted, jsonText, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'

export const relatedNotes = defineTool({
  name: 'related_notes',
  title: 'Related notes',
  description:
    'Find notes that are related to a note but not linked with it, with the reasons. Use it to suggest links.',
  activity: 'Looking for related notes',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: z.object({
    path: z.string(),
    top_k: z.number().min(1).max(50).optional(),
    include_linked: z.boolean().optional(),
  }),
  inBrief: ['path'],
  example: { path: 'Garden/Tomatoes.md' },
  output: z.object({
    notes: z.array(z.object({ path: z.string(), title: z.string(), reasons: z.array(z.string()) })),
    named: z.array(z.string()),
  }),

  async reaches(input, { index }) {
    const { path } = await index.find(input.path)
    return { notes: [path], input: { ...input, path } }
  },

  async run({ path, top_k, include_linked }, { index }) {
    const found = await index.related({ path: notePath(path), limit: top_k, includeLinked: include_linked })
    const notes = found.notes.map(({ path: other, title, reasons }) => ({
      path: other,
      title: shortText(title),
      reasons: reasons.map((reason) => shortText(reason)),
    }))
    return { notes, named: [path, ...found.named] }
  },

  render: (found) => jsonText(found.notes),
  notesIn: ({ notes, named }) => [...new Set([...notes.map(({ path }) => path), ...named])].map(notePath),
  summary: ({ notes }) => counted(notes.length, 'note'),
})
