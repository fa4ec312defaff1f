import * as z from 'zod'
import { checkKinds, loadCheck, type ShownFinding } from '../../check/index.js'
import { visibleText } from '../../text/index.js'
import { notePath } from '../../vault/index.js'
import { boundedLimit, counted, remarks, remarksField, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import { checkSource, existingFolder } from './query-page.js'

const limits = { usual: 50, most: 500 }

export const checkVault = defineTool({
  name: 'check_vault',
  title: 'Check vault',
  description:
    'Find broken or ambiguous links, unreadable properties, conflict copies, empty notes and orphans, with fixes for fix_vault.',
  activity: 'Checking the vault',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  timeoutMs: 300_000,
  input: z.object({
    only: z.array(z.enum(checkKinds)).optional().describe('Default: all'),
    folder: z.string().optional(),
    limit: z.number().min(1).optional().describe('Default 50, at most 500'),
    cursor: z.string().optional(),
    each: z.number().min(1).optional().describe('Findings per kind, instead of pages'),
  }),
  example: { only: ['links', 'orphans'] },
  output: z.object({
    totals: z.record(z.string(), z.number()),
    findings: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        path: z.string(),
        line: z.number().optional(),
        link: z.string().optional(),
        problem: z.string(),
        fixes: z.array(z.object({ kind: z.string(), title: z.string() })),
        near: z.array(z.string()).optional().describe('Equally near, so none is proposed'),
      }),
    ),
    cursor: z.string().optional(),
    remarks: remarksField,
  }),

  async run({ only, folder, limit: asked, cursor, each }, context) {
    const { limit, remark } =
      each === undefined ? boundedLimit('limit', asked, limits) : boundedLimit('each', each, limits)
    const where = await existingFolder(folder, context.index)
    const { checkPage } = await loadCheck()
    const request = { only, folder: where, limit, cursor, isOverview: each !== undefined }
    const { findings, ...page } = await checkPage(request, checkSource(context))
    return { ...page, findings: findings.map(shortened), ...remarks(remark) }
  },

  render: ({ totals, findings, cursor, remarks: said = [] }) => {
    const total = Object.values(totals).reduce((sum, count) => sum + count, 0)
    const counts = Object.entries(totals).map(([kind, count]) => `${kind} ${count.toLocaleString('en')}`)
    const shown = findings.length === total ? '' : `, ${findings.length} shown`
    return [
      total === 0 ? 'No problems found.' : `${counted(total, 'problem')}${shown}: ${counts.join(', ')}.`,
      ...findings.map(findingText),
      ...(cursor === undefined ? [] : [`More with cursor ${JSON.stringify(cursor)}.`]),
      ...said,
    ].join('\n')
  },
  notesIn: ({ findings }) => [...new Set(findings.map(({ path }) => notePath(path)))],
  summary: ({ totals }) =>
    counted(
      Object.values(totals).reduce((sum, count) => sum + count, 0),
      'problem',
    ),
})

/** Links and names may be of any length. */
const shortened = ({ link, problem, fixes, ...finding }: ShownFinding): ShownFinding => ({
  ...finding,
  ...(link !== undefined && { link: shortText(link) }),
  problem: shortText(problem, 300),
  fixes: fixes.map((fix) => ({ ...fix, title: shortText(fix.title) })),
})

interface FindingLine extends Pick<ShownFinding, 'id' | 'link' | 'problem' | 'near'> {
  fixes: { kind: string; title: string }[]
}

function findingText({ id, link, problem, fixes, near = [] }: FindingLine): string {
  const [fix] = fixes
  const proposed = fix === undefined ? '' : ` | ${fix.kind}: ${fix.title}`
  const open = near.length === 0 ? '' : ` | equally near: ${shortText(near.join(', '))}`
  return `${visibleText(id).text} | ${link === undefined ? '' : `${link} | `}${problem}${proposed}${open}`
}
