import * as z from 'zod'
import { type CheckKind, type CheckSource, checkKinds, type FixableFinding, loadCheck } from '../../check/index.js'
import { notePath } from '../../vault/index.js'
import { boundedLimit, counted, remarks, remarksField, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { existingFolder } from './query-page.js'

const limits = { usual: 50, most: 500 }

export const checkVault = defineTool({
  name: 'check_vault',
  title: 'Check vault',
  description:
    'Find problems of the vault: broken links, headings and attachments, ambiguous links, unreadable properties, conflict copies, empty notes, orphans. Each comes with its possible fixes; fix_vault makes them.',
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
    each: z.number().min(1).optional().describe('Findings of each kind, for an overview without pages'),
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
    const check = await loadCheck()
    const source = checkSource(context)
    const where = await existingFolder(folder, context.index)
    const { findings, totals, facts } = await check.checkVault({ kinds: only, folder: where }, source)
    if (each !== undefined) {
      const page = await check.withFixes(firstOfEach(findings, limit), facts, source)
      return { totals, findings: page.map(shownFinding), ...remarks(remark) }
    }
    const start = cursor === undefined ? 0 : startAfter(cursor, findings)
    const page = await check.withFixes(findings.slice(start, start + limit), facts, source)
    const next = start + page.length
    return {
      totals,
      findings: page.map(shownFinding),
      ...(next < findings.length && page.length > 0 && { cursor: `${next}:${page.at(-1)?.id}` }),
      ...remarks(remark),
    }
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

/** The vault of a call as the checks read it. */
export const checkSource = ({ index, vault, changes, signal, report }: ToolContext): CheckSource => ({
  index,
  read: (path) => vault.read(path),
  history: changes && (() => changes.history()),
  signal,
  report,
})

/** The first findings of each kind. */
function firstOfEach<Found extends { kind: CheckKind }>(findings: readonly Found[], most: number): Found[] {
  const counts = new Map<CheckKind, number>()
  return findings.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= most
  })
}

/** After the last finding of the page before, or, if that one is gone, at its position. */
function startAfter(cursor: string, findings: readonly { id: string }[]): number {
  const [, offset = '0', id] = /^(\d{1,9}):(.+)$/s.exec(cursor) ?? []
  const last = findings.findIndex((finding) => finding.id === id)
  return last === -1 ? Math.max(0, Number(offset) - 1) : last + 1
}

export interface ShownFinding {
  id: string
  kind: CheckKind
  path: string
  line?: number | undefined
  link?: string | undefined
  problem: string
  fixes: { kind: string; title: string }[]
  near?: string[] | undefined
}

/** A finding as plain data. */
function shownFinding({ id, kind, path, line, problem, link, fixes, near }: FixableFinding): ShownFinding {
  return {
    id,
    kind,
    path,
    ...(line !== undefined && { line }),
    ...(link !== undefined && { link: shortText(link.raw) }),
    problem: shortText(problem, 300),
    fixes: fixes.map((fix) => ({ kind: fix.kind, title: shortText(fix.title) })),
    ...(near.length > 1 && { near: near.slice(0, 5) }),
  }
}

function findingText({ id, link, problem, fixes, near = [] }: Omit<ShownFinding, 'kind'>): string {
  const [fix] = fixes
  const proposed = fix === undefined ? '' : ` | ${fix.kind}: ${fix.title}`
  const open = near.length === 0 ? '' : ` | equally near: ${near.join(', ')}`
  return `${id} | ${link === undefined ? '' : `${link} | `}${problem}${proposed}${open}`
}
