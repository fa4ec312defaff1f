import * as z from 'zod'
import { Failure } from '../../errors.js'
import { changeSet } from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import { changedPaths, isUndoCandidate, ownChanges } from './own-changes.js'

const mostListed = 20
const mostPaths = 20

export const undoChanges = defineTool({
  name: 'undo_changes',
  title: 'Undo changes',
  description:
    'Undo the newest change, or the last few, that you made in this conversation; or only list them. Later edits by others stay.',
  activity: 'Undoing changes',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  varies: true,
  timeoutMs: 120_000,
  input: z.object({
    count: z.number().int().min(1).max(50).optional().describe('Default 1'),
    list: z.boolean().optional(),
  }),
  example: { list: true },
  output: z.object({
    undone: z.array(z.string()),
    paths: z.array(z.string()),
    changes: z.array(z.object({ title: z.string(), time: z.string(), state: z.string(), notes: z.number() })),
  }),

  async plan({ count = 1, list = false }, context) {
    const own = await ownChanges(context)
    if (list) {
      const changes = own.slice(0, mostListed).map((entry) => ({
        title: entry.title,
        time: new Date(entry.time).toISOString(),
        state: entry.state,
        notes: changedPaths(entry).length,
      }))
      const nothing = changeSet('List changes', [], { session: context.session })
      return { changes: nothing, output: { undone: [], paths: [], changes }, effects: [] }
    }
    const chosen = own.filter(isUndoCandidate).slice(0, count)
    if (chosen.length === 0 || context.changes === undefined) {
      throw new Failure('not-found', 'You have no changes to undo.')
    }
    const planned = await context.changes.planUndo({ ids: chosen.map(({ id }) => id) })
    const destroys = planned.changes.some(({ kind }) => kind === 'trash' || kind === 'move')
    const paths = [...new Set(chosen.flatMap(changedPaths))]
    return {
      changes: { ...planned, session: context.session },
      output: { undone: chosen.map(({ title }) => title), paths: paths.slice(0, mostPaths), changes: [] },
      effects: destroys ? ['writes', 'destroys'] : ['writes'],
    }
  },

  render: ({ undone, changes }) => {
    if (undone.length > 0) return `Undone: ${undone.map((title) => shortText(title)).join('; ')}`
    if (changes.length === 0) return 'You have not changed anything in this conversation.'
    return changes
      .map((each) => `${each.time} ${shortText(each.title)} (${counted(each.notes, 'note')}, ${each.state})`)
      .join('\n')
  },
  summary: ({ undone, changes }) =>
    undone.length > 0 ? `${counted(undone.length, 'change')} undone` : counted(changes.length, 'change'),
})
