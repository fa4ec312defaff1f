import * as z from 'zod'
import { Failure } from '../../errors.js'
import { ambiguousName } from '../../index/index.js'
import { isNote, type NotePath, notePath } from '../../vault/index.js'
import { findNoteOrBase, isBase } from '../file/find-note.js'
import { boundedLimit, counted, remarks, remarksField } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { failedRemark, loadBases, queryLimits, querySource, table } from './query-page.js'

export const queryBase = defineTool({
  name: 'query_base',
  title: 'Query a base',
  description:
    'Run a view of an Obsidian base: a .base file, or the base code block of a note. Returns its rows with the total, groups and summaries. Without `view` the first view is run.',
  activity: 'Querying a base',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: z.object({
    path: z.string(),
    view: z.string().optional(),
    limit: z.number().min(1).optional().describe('Default 50, at most 500'),
    cursor: z.string().optional().describe('Of the previous answer'),
  }),
  example: { path: 'Reading Circle/Books.base', view: 'By rating' },
  output: z.object({
    view: z.string(),
    views: z.array(z.string()),
    total: z.number(),
    columns: z.array(z.string()),
    rows: z.array(z.object({ path: z.string(), values: z.array(z.unknown()), group: z.string().optional() })),
    summaries: z.array(z.object({ property: z.string(), summary: z.string(), value: z.string() })),
    cursor: z.string().optional(),
    remarks: remarksField,
  }),
  reaches: async (input, context) => {
    const path = await findBase(input.path, context)
    return { notes: [path], input: { ...input, path } }
  },

  async run({ path, view: name, limit: asked, cursor }, context) {
    const { baseQuery, parseBase, runQuery, summarize, viewNamed } = await loadBases()
    const base = parseBase(await baseText(notePath(path), context))
    const view = viewNamed(base, name)
    const { limit, remark } = boundedLimit('limit', asked, queryLimits)
    const source = querySource(context)
    const answer = await runQuery(
      baseQuery(base, view, { shownIn: notePath(path), limit: Math.min(limit, view.limit ?? limit), cursor }),
      source,
    )
    const shown = (property: string): string => base.displayNames[property] ?? property
    return {
      view: view.name,
      views: base.views.map((each) => each.name),
      total: answer.total,
      columns: view.columns.map(shown),
      rows: answer.rows,
      summaries: summarize(base, view, answer.columnValues, source.zone, source.now).map((each) => ({
        ...each,
        property: shown(each.property),
      })),
      ...(answer.cursor !== undefined && { cursor: answer.cursor }),
      ...remarks(remark, failedRemark(answer)),
    }
  },

  render: ({ view, views, total, columns, rows, summaries, cursor, remarks: said = [] }) =>
    [
      `View ${view}: ${counted(total, 'file')}${rows.length < total ? `, ${rows.length} shown` : ''}.`,
      ...groups(rows).flatMap(({ name, members }) => [
        ...(name === undefined ? [] : [`## ${name === '' ? 'No value' : name}`]),
        ...table(['path', ...columns], members),
      ]),
      ...summaries.map(({ property, summary, value }) => `${summary} of ${property}: ${value}`),
      ...(cursor === undefined ? [] : [`More with cursor ${JSON.stringify(cursor)}.`]),
      ...(views.length > 1 ? [`Views: ${views.join(', ')}.`] : []),
      ...said,
    ].join('\n'),
  notesIn: ({ rows }) => rows.map(({ path }) => notePath(path)),
  summary: ({ total }) => counted(total, 'file'),
})

/** A base by its path or by a name that only one base has, with or without its extension; otherwise a note. */
async function findBase(wanted: string, context: ToolContext): Promise<NotePath> {
  const path = notePath(wanted).toLowerCase()
  const tail = `/${isBase(path) ? path : `${path}.base`}`
  const bases = (await context.index.files()).filter((file) => `/${file}`.toLowerCase().endsWith(tail))
  const exact = bases.find((base) => `/${base}`.toLowerCase() === tail)
  if (exact === undefined && bases.length > 1) throw ambiguousName('bases', wanted, bases)
  return exact ?? bases[0] ?? findNoteOrBase(wanted, context)
}

async function baseText(path: NotePath, { vault }: Pick<ToolContext, 'vault'>): Promise<string> {
  const file = await vault.read(path)
  if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`)
  if (!isNote(path)) return file.text
  const block = /^(?:```|~~~)base[ \t]*\r?\n([\s\S]*?)^(?:```|~~~)[ \t]*$/m.exec(file.text)?.[1]
  if (block !== undefined) return block
  throw new Failure('not-found', `This note has no base code block: ${path}`, {
    hint: 'Use a .base file.',
    modelHint: 'To query without a base, use query_notes.',
    tools: ['query_notes'],
  })
}

function groups<Row extends { group?: string | undefined }>(
  rows: readonly Row[],
): { name: string | undefined; members: Row[] }[] {
  const found: { name: string | undefined; members: Row[] }[] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last !== undefined && last.name === row.group) last.members.push(row)
    else found.push({ name: row.group, members: [row] })
  }
  return found
}
