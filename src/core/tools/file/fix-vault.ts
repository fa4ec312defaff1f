import * as z from 'zod'
import { checkKinds, type Finding, fixKinds, loadCheck } from '../../check/index.js'
import { type ChangeSet, changeSet } from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { checkSource } from '../search/check-vault.js'
import { existingFolder } from '../search/query-page.js'
import { defineTool, type Notice } from '../tool.js'

/** Findings that an answer names as not fixed. */
const mostNamed = 20

export const fixVault = defineTool({
  name: 'fix_vault',
  title: 'Fix vault',
  description:
    'Make fixes that check_vault proposes, all in one reviewed change: for the findings with these ids, or for all of a kind.',
  activity: 'Fixing the vault',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  timeoutMs: 600_000,
  guidance:
    'In fixes, name every kind of fix to use. The first kind of fix that a finding has is used, so ["redirect", "unlink"] redirects links where a target is near and unlinks the others.',
  input: z.object({
    fixes: z.array(z.enum(fixKinds)).min(1),
    ids: z.array(z.string()).max(2000).optional().describe('Default: all findings'),
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
    const check = await loadCheck()
    const source = checkSource(context)
    const where = await existingFolder(folder, context.index)
    // Ids begin with the kind of their finding.
    const named = ids && checkKinds.filter((kind) => ids.some((id) => id.startsWith(`${kind}:`)))
    const { findings, facts } = await check.checkVault({ kinds: only ?? named, folder: where }, source)
    const { chosen, missing } = chosenFindings(findings, ids)
    const { changes, rules, fixed, left } = await check.planFixes(
      await check.withFixes(chosen, facts, source),
      fixes,
      source,
    )
    const { session } = context
    // A finding without a fix was meant only if its id was given.
    const unfixed = [...missing.map((id) => ({ id, reason: 'There is no such problem.' })), ...(ids ? left : [])]
    const output = {
      fixed,
      notes: changes.length,
      rules: rules.map(({ title, notes, places }) => ({ title, notes, places })),
      ...notFixed(unfixed),
    }
    if (changes.length === 0) return { changes: changeSet('Fix no problems', [], { session }), output, effects: [] }
    const effective = rules.filter(({ places }) => places > 0)
    const [first] = effective
    const title =
      effective.length === 1 && first !== undefined
        ? `${first.title} (${counted(fixed, 'place')} in ${counted(changes.length, 'note')})`
        : `Fix ${counted(fixed, 'problem')} in ${counted(changes.length, 'note')}`
    const set: ChangeSet = { ...changeSet(title, changes, { session }), rules }
    return {
      changes: set,
      output,
      effects: changes.some(({ kind }) => kind === 'trash') ? ['writes', 'destroys'] : ['writes'],
      inPart: (part) => ({ ...output, notes: part.changes.length }),
      notices: leftNotice(unfixed),
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

function chosenFindings(findings: readonly Finding[], ids: readonly string[] | undefined) {
  if (ids === undefined) return { chosen: findings, missing: [] }
  const wanted = new Set(ids)
  const there = new Set(findings.map(({ id }) => id))
  return { chosen: findings.filter(({ id }) => wanted.has(id)), missing: ids.filter((id) => !there.has(id)) }
}

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
