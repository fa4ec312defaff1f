import * as z from 'zod'
import type { NoteIndex, StoredNote } from '../../index/index.js'
import { compareText } from '../../index/index.js'
import { notePath } from '../../vault/index.js'
import { noteRows } from '../note-rows.js'
import { boundedLimit, counted, remarks, remarksField, shortText, utcTime } from '../result-format.js'
import { defineTool } from '../tool.js'

const mostTags = 20

export const searchByTag = defineTool({
  name: 'search_by_tag',
  title: 'Search by tag',
  description:
    'List notes with the given tags, inline or in frontmatter, newest first. A parent tag includes its children.',
  activity: 'Searching by tag',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: z.object({
    tags: z.array(z.string()).min(1).max(50).describe('With or without #'),
    match: z.enum(['all', 'any']).optional().describe('Default all'),
    limit: z.number().min(1).optional().describe('Default 50, at most 200'),
  }),
  example: { tags: ['garden'], match: 'all' },
  output: z.object({
    notes: z.array(
      z.object({ path: z.string(), title: z.string(), tags: z.array(z.string()), modified: z.string().nullable() }),
    ),
    remarks: remarksField,
  }),

  async run({ tags, match = 'all', limit: asked }, { index, signal }) {
    const { limit, remark } = boundedLimit('limit', asked, { usual: 50, most: 200 })
    const wanted = tags.map((tag) => tag.trim().replace(/^#/, '')).filter((tag) => tag !== '')
    const notes = match === 'all' ? await withAll(wanted, index) : await withAny(wanted, index, signal)
    const inOrder = notes.sort((a, b) => b.mtimeMs - a.mtimeMs || compareText(a.path, b.path))
    const left = inOrder.length - limit
    const more =
      left > 0 ? `${counted(left, 'older note')} left out of ${inOrder.length.toLocaleString('en')}.` : undefined
    return { notes: inOrder.slice(0, limit).map(shown), ...remarks(remark, more) }
  },

  render: ({ notes, remarks: said = [] }) =>
    [
      notes.length === 0 ? 'No notes.' : `${counted(notes.length, 'note')}, newest first: path | tags | changed`,
      ...noteRows(notes.map(({ path, tags, modified }) => ({ path, cells: [tags.join(', '), dayOf(modified)] }))),
      ...said,
    ].join('\n'),
  notesIn: ({ notes }) => notes.map(({ path }) => notePath(path)),
  summary: ({ notes }) => counted(notes.length, 'note'),
})

const dayOf = (time: string | null): string => time?.slice(0, 10) ?? ''

const withAll = async (tags: string[], index: NoteIndex): Promise<StoredNote[]> =>
  tags.length === 0 ? [] : index.notes({ tags })

async function withAny(tags: readonly string[], index: NoteIndex, signal: AbortSignal): Promise<StoredNote[]> {
  const found = new Map<string, StoredNote>()
  for (const tag of new Set(tags)) {
    signal.throwIfAborted()
    for (const note of await index.notes({ tags: [tag] })) found.set(note.path, note)
  }
  return [...found.values()]
}

function shown({ path, title, tags, mtimeMs }: StoredNote) {
  const names = tags.slice(0, mostTags).map((tag) => shortText(tag, 100))
  if (tags.length > mostTags) names.push(`… ${tags.length - mostTags} more`)
  return { path, title: shortText(title), tags: names, modified: utcTime(mtimeMs) }
}
