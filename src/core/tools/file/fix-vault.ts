import * as z from 'zod'
import { checkKinds, fixKinds, loadCheck } from '../../check/index.js'
import { originalText } from '../../text/index.js'
import { counted, shortText } from '../result-format.js'
import { checkSource, existingFolder } from '../search/query-page.js'
import { defineTool, type Notice } from '../tool.js'

/** Findings that an answer names as not fixed. */
const mostNamed = 20

export const fixVault = defineTool({
  name: 'fix_vault',
  title: 'Fix vault',
  description: 'Make fixes of check_vault as one reviewed change, for all findings or those with these ids.',
  activity: 'Fixing the vault',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  timeoutMs: 600_000,
  guidance:
    'In fixes, name every kind of fix to use. The first kind of fix that a finding has is used, so ["redirect", "unlink"] redirects links where a target is near and unlinks the others.',
  input: z.object({
    fixes: z.array(z.enum(fixKinds)).min(1),
    ids: z.array(z.string()).optional(),
    only: z.array(z.enum(checkKinds)).optional(),
    folder: z.string().optional(),
  }),
  example: { fixes: ['redirect'], only: ['links'] },
  output: z.object({
    fixed: z.number(),
    notes: z.number(),
    rules: z.array(z.object({ title: z.string(), notes: z.number(), places: z.number() })),
    not_fixed: z.array(z.string()).optional().describe('Id and reason'),
  }),

  async plan({ fixes, ids, only, folder }, context) {
    const where = await existingFolder(folder, context.index)
    const { fixesAsChange } = await loadCheck()
    // Results show hidden characters in another way.
    const request = { fixes, ids: ids?.map(originalText), only, folder: where, session: context.session }
    const { set, rules, fixed, left } = await fixesAsChange(request, checkSource(context))
    const notes = set.changes.length
    const output = {
      fixed,
      notes,
      rules: rules.map(({ title, notes: many, places }) => ({ title, notes: many, places })),
      ...notFixed(left),
    }
    if (notes === 0) return { changes: set, output, effects: [] }
    return {
      changes: set,
      output,
      effects: set.changes.some(({ kind }) => kind === 'trash') ? ['writes', 'destroys'] : ['writes'],
      inPart: (part) => ({ ...output, notes: part.changes.length }),
      notices: leftNotice(left),
    }
  },

  render: ({ fixed, notes, rules, not_fixed: left = [] }) =>
    [
      fixed === 0 ? 'Nothing was fixed.' : `Fixed ${counted(fixed, 'problem')} in ${counted(notes, 'note')}:`,
      ...rules.filter(({ places }) => places > 0).map(({ title, places }) => `- ${title}: ${counted(places, 'place')}`),
      ...(left.length === 0 ? [] : ['Not fixed:', ...left.map((each) => `- ${each}`)]),
    ].join('\n'),
  summary: ({ fixed }) => `${counted(fixed, 'problem')} fixed`,
})

function notFixed(left: readonly { id: string; reason: string }[]): { not_fixed?: string[] } {
  if (left.length === 0) return {}
  const named = left.slice(0, mostNamed).map(({ id, reason }) => `${shortText(id)}: ${reason}`)
  return { not_fixed: left.length > mostNamed ? [...named, `and ${left.length - mostNamed} more`] : named }
}

function leftNotice(left: readonly { id: string; reason: string }[]): Notice[] {
  const { not_fixed: named } = notFixed(left)
  return named === undefined
    ? []
    : [{ kind: 'other', text: `${counted(left.length, 'problem')} cannot be fixed: ${named.join('; ')}` }]
}
