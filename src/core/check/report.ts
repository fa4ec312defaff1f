import { type ChangeSet, changeSet } from '../vault/index.js'
import { checkVault, withFixes } from './check-vault.js'
import {
  type CheckKind,
  checkKinds,
  checkTitles,
  type Finding,
  type FixableFinding,
  type FixKind,
  fixTitles,
} from './finding.js'
import { type PlannedFixes, planFixes } from './plan-fixes.js'
import type { CheckSource } from './vault-facts.js'

/** A finding as plain data. */
export interface ShownFinding {
  id: string
  kind: CheckKind
  path: string
  line?: number | undefined
  /** The link as written. */
  link?: string | undefined
  problem: string
  /** The proposed one first. */
  fixes: { kind: FixKind; title: string }[]
  /** Equally near targets, so that none is proposed. */
  near?: string[] | undefined
}

export interface CheckRequest {
  only?: readonly CheckKind[] | undefined
  folder?: string | undefined
  /** Findings of one page, or of each kind. */
  limit: number
  /** The first findings of each kind, without pages. */
  isOverview?: boolean | undefined
  cursor?: string | undefined
}

export interface CheckPage {
  totals: Partial<Record<CheckKind, number>>
  findings: ShownFinding[]
  cursor?: string
}

/** Checks a vault, and returns one page of what it finds. */
export async function checkPage(
  { only, folder, limit, isOverview, cursor }: CheckRequest,
  source: CheckSource,
): Promise<CheckPage> {
  const { findings, totals, facts } = await checkVault({ kinds: only, folder }, source)
  const start = cursor === undefined || isOverview ? 0 : startAfter(cursor, findings)
  const chosen = isOverview ? firstOfEach(findings, limit) : findings.slice(start, start + limit)
  const page = await withFixes(chosen, facts, source)
  const next = start + page.length
  const hasMore = !isOverview && next < findings.length && page.length > 0
  return { totals, findings: page.map(shownFinding), ...(hasMore && { cursor: `${next}:${page.at(-1)?.id}` }) }
}

/** The problems of a vault in groups, for a screen. */
export interface CheckReport {
  groups: { kind: CheckKind; title: string; total: number; findings: ShownFinding[] }[]
  fixTitles: Record<FixKind, string>
}

export async function checkReport(request: Omit<CheckRequest, 'cursor'>, source: CheckSource): Promise<CheckReport> {
  const { totals, findings } = await checkPage({ ...request, isOverview: true }, source)
  const groups = checkKinds.flatMap((kind) => {
    const total = totals[kind] ?? 0
    const own = findings.filter((finding) => finding.kind === kind)
    return total === 0 ? [] : [{ kind, title: checkTitles[kind], total, findings: own }]
  })
  return { groups, fixTitles }
}

export interface FixRequest {
  /** The kinds of fixes to use; of a finding's fixes, the first of these kinds is made. */
  fixes: readonly FixKind[]
  /** Default: all findings. */
  ids?: readonly string[] | undefined
  only?: readonly CheckKind[] | undefined
  folder?: string | undefined
  session?: string | undefined
}

/** Plans fixes as one change set. `left` are the findings with these ids that it does not fix. */
export async function fixesAsChange(
  { fixes, ids, only, folder, session }: FixRequest,
  source: CheckSource,
): Promise<{ set: ChangeSet } & Omit<PlannedFixes, 'changes'>> {
  // Ids begin with the kind of their finding.
  const named = ids && checkKinds.filter((kind) => ids.some((id) => id.startsWith(`${kind}:`)))
  const { findings, facts } = await checkVault({ kinds: only ?? named, folder }, source)
  const wanted = ids && new Set(ids)
  const chosen = findings.filter(({ id }) => wanted?.has(id) !== false)
  const there = new Set(chosen.map(({ id }) => id))
  const missing = (ids ?? []).filter((id) => !there.has(id)).map((id) => ({ id, reason: 'There is no such problem.' }))
  const { changes, left, ...planned } = await planFixes(await withFixes(chosen, facts, source), fixes, source)
  const set = changeSet(titleOf(planned, changes.length), changes, session === undefined ? {} : { session })
  // A finding without a fix was meant only if its id was given.
  return { ...planned, set: { ...set, rules: planned.rules }, left: [...missing, ...(ids ? left : [])] }
}

function titleOf({ rules, fixed }: Omit<PlannedFixes, 'changes' | 'left'>, notes: number): string {
  const number = (many: number, noun: string) => `${many.toLocaleString('en')} ${noun}${many === 1 ? '' : 's'}`
  const effective = rules.filter(({ places }) => places > 0)
  const [first] = effective
  if (first === undefined) return 'Fix no problems'
  if (effective.length > 1) return `Fix ${number(fixed, 'problem')} in ${number(notes, 'note')}`
  return `${first.title} (${number(fixed, 'place')} in ${number(notes, 'note')})`
}

/** After the last finding of the page before, or, if that one is gone, at its position. */
function startAfter(cursor: string, findings: readonly Finding[]): number {
  const [, offset = '0', id] = /^(\d{1,9}):(.+)$/s.exec(cursor) ?? []
  const last = findings.findIndex((finding) => finding.id === id)
  return last === -1 ? Math.max(0, Number(offset) - 1) : last + 1
}

function firstOfEach(findings: readonly Finding[], most: number): Finding[] {
  const counts = new Map<CheckKind, number>()
  return findings.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= most
  })
}

function shownFinding({ id, kind, path, line, problem, link, fixes, near }: FixableFinding): ShownFinding {
  return {
    id,
    kind,
    path,
    ...(line !== undefined && { line }),
    ...(link !== undefined && { link: link.raw }),
    problem,
    fixes: fixes.map((fix) => ({ kind: fix.kind, title: fix.title })),
    ...(near.length > 1 && { near: near.slice(0, 5) }),
  }
}
