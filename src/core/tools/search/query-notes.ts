import * as z from 'zod'
import type { NoteQuery } from '../../bases/index.js'
import { notePath } from '../../vault/index.js'
import { boundedLimit, counted, remarks, remarksField } from '../result-format.js'
import { defineTool } from '../tool.js'
import { existingFolder, failedRemark, loadBases, queryLimits, querySource, table, tagNames } from './query-page.js'

export const queryNotes = defineTool({
  name: 'query_notes',
  title: 'Query notes',
  description:
    'List or count notes by properties, tags, folder, dates, links or size. `where` is an expression of Obsidian Bases. Use it for "all notes that …" and "how many"; use search_notes to find text.',
  activity: 'Querying notes',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  guidance:
    'In `where` a bare name is a property: status == "open" && file.hasTag("book") && due < today() + "7d". Also: file.name, file.path, file.folder, file.mtime, file.ctime, file.size, file.tags, file.links, file.backlinks, file.words, file.hasLink("Note"), file.hasProperty("x"), x.isEmpty(), list(x).contains("y"). Notes without backlinks: file.backlinks.isEmpty().',
  input: z.object({
    where: z.string().optional().describe('Bases expression, e.g. status == "open"'),
    folder: z.string().optional(),
    tags: z.array(z.string()).max(50).optional().describe('All must match'),
    select: z.array(z.string()).max(20).optional().describe('Properties to show'),
    sort: z.array(z.string()).max(5).optional().describe('E.g. "file.mtime desc"'),
    limit: z.number().min(1).optional().describe('Default 50, at most 500'),
    cursor: z.string().optional().describe('Of the previous answer'),
  }),
  example: { where: 'status == "open"', select: ['status', 'file.mtime'], sort: ['file.mtime desc'] },
  inBrief: ['where', 'folder', 'tags'],
  output: z.object({
    total: z.number(),
    columns: z.array(z.string()),
    notes: z.array(z.object({ path: z.string(), values: z.array(z.unknown()) })),
    cursor: z.string().optional(),
    remarks: remarksField,
  }),

  async run({ where, folder, tags, select = [], sort = [], limit: asked, cursor }, context) {
    const { limit, remark } = boundedLimit('limit', asked, queryLimits)
    const query: NoteQuery = {
      filters: where?.trim() ? [where] : [],
      columns: select,
      sort: sort.map(sortKey),
      folder: await existingFolder(folder, context.index),
      tags: tagNames(tags),
      limit,
      cursor,
    }
    const { runQuery } = await loadBases()
    const answer = await runQuery(query, querySource(context))
    return {
      total: answer.total,
      columns: select,
      notes: answer.rows.map(({ path, values }) => ({ path, values })),
      ...(answer.cursor !== undefined && { cursor: answer.cursor }),
      ...remarks(remark, failedRemark(answer)),
    }
  },

  render: ({ total, columns, notes, cursor, remarks: said = [] }) =>
    [
      notes.length === total ? `${counted(total, 'note')}.` : `${counted(total, 'note')}, ${notes.length} shown.`,
      ...table(['path', ...columns], notes),
      ...(cursor === undefined ? [] : [`More with cursor ${JSON.stringify(cursor)}.`]),
      ...said,
    ].join('\n'),
  notesIn: ({ notes }) => notes.map(({ path }) => notePath(path)),
  summary: ({ total }) => counted(total, 'note'),
})

/** "file.mtime desc" */
function sortKey(text: string): { property: string; direction: 'ASC' | 'DESC' } {
  const [, property = '', direction = 'asc'] = /^(.*?)(?:\s+(asc|desc))?$/is.exec(text.trim()) ?? []
  return { property, direction: direction.toLowerCase() === 'desc' ? 'DESC' : 'ASC' }
}
