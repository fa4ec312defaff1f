import { Failure } from '../errors.js'
import type { LinkRepair } from '../index/index.js'
import type { Change, ChangeRule, NotePath, RuleSample } from '../vault/index.js'
import { type FixableFinding, type FixKind, fixTitles } from './finding.js'
import type { CheckSource } from './vault-facts.js'

/** The steps that fix some findings, one rule for each kind of fix. */
export interface PlannedFixes {
  changes: Change[]
  rules: ChangeRule[]
  fixed: number
  /** Findings that cannot be fixed, each with the reason. */
  left: { id: string; reason: string }[]
}

interface Effect {
  kind: FixKind
  path: NotePath
  before: string
  after: string
}

const samplesPerRule = 3

/** Plans the first fix of each finding that is of one of these kinds, all in one change. */
export async function planFixes(
  findings: readonly FixableFinding[],
  kinds: readonly FixKind[],
  source: CheckSource,
): Promise<PlannedFixes> {
  const left: PlannedFixes['left'] = []
  const trashed = new Map<NotePath, string>()
  const texts = new Map<NotePath, string>()
  const repairs = new Map<LinkRepair, { id: string; kind: FixKind }>()
  const effects: Effect[] = []
  const changes: Change[] = []
  // A note that goes to the trash needs no other fix.
  const isTrashing = ({ fixes }: FixableFinding) => fixes.some(({ kind }) => kind === 'trash' && kinds.includes(kind))
  const ordered = [...findings.filter(isTrashing), ...findings.filter((finding) => !isTrashing(finding))]
  for (const { id, path, fixes, near } of ordered) {
    source.signal?.throwIfAborted()
    const fix = fixes.find(({ kind }) => kinds.includes(kind))
    if (fix === undefined) {
      const open = near.length > 1 ? `Several are equally near: ${near.slice(0, 5).join(', ')}.` : undefined
      left.push({ id, reason: open ?? 'There is no fix of these kinds.' })
      continue
    }
    if (trashed.has(path)) continue
    const { change, kind } = fix
    if ('repair' in change) {
      repairs.set(change.repair, { id, kind })
      continue
    }
    const file = await readOrReason(path, source)
    if (typeof file === 'string') left.push({ id, reason: file })
    else if ('trash' in change) {
      const original = change.sameAs === undefined ? undefined : await readOrReason(change.sameAs, source)
      const isSame = original === undefined || (typeof original !== 'string' && original.hash === file.hash)
      if (file.hash !== change.hash || !isSame) {
        left.push({ id, reason: 'The note was changed meanwhile.' })
        continue
      }
      trashed.set(path, id)
      changes.push({ kind: 'trash', path, before: file.hash })
      effects.push({ kind, path, before: '', after: '' })
    } else {
      const text = change.edit(file.text)
      if (text === undefined) left.push({ id, reason: 'Its properties cannot be fixed safely.' })
      else {
        texts.set(path, text)
        effects.push({ kind, path, before: '', after: '' })
      }
    }
  }
  const planned = await source.index.planRepairs([...repairs.keys()], {
    texts,
    ...(source.signal && { signal: source.signal }),
  })
  for (const { repair, reason } of planned.left) left.push({ id: repairs.get(repair)?.id ?? '', reason })
  for (const { repair, after } of planned.done) {
    const kind = repairs.get(repair)?.kind
    if (kind !== undefined) effects.push({ kind, path: repair.source, before: repair.raw, after })
  }
  const all = [...planned.changes, ...changes]
  return { changes: all, rules: rulesOf(effects, kinds, all), fixed: effects.length, left }
}

async function readOrReason(path: NotePath, { read }: CheckSource) {
  try {
    return (await read(path)) ?? 'The note is no longer there.'
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function rulesOf(effects: readonly Effect[], kinds: readonly FixKind[], changes: readonly Change[]): ChangeRule[] {
  const positions = new Map<NotePath, number>(changes.map(({ path }, at) => [path, at]))
  return kinds.flatMap((kind, at): ChangeRule[] => {
    const own = effects.filter((effect) => effect.kind === kind)
    const notes = [...new Set(own.map(({ path }) => path))]
    const samples = own
      .filter(({ before }) => before !== '')
      .slice(0, samplesPerRule)
      .map(({ path, before, after }): RuleSample => ({ path, before, after }))
    return [
      {
        title: fixTitles[kind],
        notes: notes.length,
        places: own.length,
        changes: notes.flatMap((path) => positions.get(path) ?? []),
        samples,
        pointer: `/fixes/${at}`,
      },
    ]
  })
}
