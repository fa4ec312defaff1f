import { compareText } from '../index/index.js'
import { findNoteProblems, noteFixes, propertiesErrorLine } from './check-files.js'
import { findBrokenLinks, linkFixes } from './check-links.js'
import { type CheckKind, checkKinds, type Finding, type FixableFinding } from './finding.js'
import { type CheckSource, isInFolder, loadFacts, type VaultFacts } from './vault-facts.js'

/** The problems of a vault, in the order of the kinds, then by path and line. */
export interface CheckedVault {
  findings: Finding[]
  /** True counts of the kinds that were checked. */
  totals: Partial<Record<CheckKind, number>>
  facts: VaultFacts
}

/** Looks for problems from the index. Texts are read only where the index cannot tell. */
export async function checkVault(
  { kinds = checkKinds, folder = '' }: { kinds?: readonly CheckKind[] | undefined; folder?: string | undefined },
  source: CheckSource,
): Promise<CheckedVault> {
  const wanted = new Set(kinds)
  source.report?.({ text: 'Checking the vault' })
  const facts = await loadFacts(source)
  const ofLinks = findBrokenLinks(facts, wanted).filter(({ path }) => isInFolder(path, folder))
  const findings = [...ofLinks, ...(await findNoteProblems(facts, wanted, folder, source))].sort(inOrder)
  const totals: CheckedVault['totals'] = {}
  for (const kind of checkKinds) if (wanted.has(kind)) totals[kind] = 0
  for (const { kind } of findings) totals[kind] = (totals[kind] ?? 0) + 1
  return { findings, totals, facts }
}

const inOrder = (a: Finding, b: Finding): number =>
  checkKinds.indexOf(a.kind) - checkKinds.indexOf(b.kind) ||
  compareText(a.path, b.path) ||
  (a.line ?? 0) - (b.line ?? 0)

/**
 * Adds the possible fixes to some findings. Fixes that cannot be made without changing anything else are left out: for
 * this the notes of these findings are read.
 */
export async function withFixes(
  findings: readonly Finding[],
  facts: VaultFacts,
  source: CheckSource,
): Promise<FixableFinding[]> {
  const fixesOf = await linkFixes(facts, source)
  const fixable: FixableFinding[] = []
  for (const finding of findings) {
    source.signal?.throwIfAborted()
    const { link } = finding
    if (link !== undefined) fixable.push({ ...finding, ...fixesOf({ ...finding, link }) })
    else fixable.push({ ...finding, fixes: noteFixes(finding, facts), near: [] })
  }
  await dropImpossible(fixable, source)
  return fixable
}

async function dropImpossible(findings: FixableFinding[], source: CheckSource): Promise<void> {
  for (const finding of findings) {
    if (finding.kind !== 'properties') continue
    const text = await source.read(finding.path).then(
      (file) => file?.text,
      () => undefined,
    )
    finding.line = text === undefined ? undefined : propertiesErrorLine(text)
    finding.fixes = finding.fixes.filter(
      ({ change }) => text !== undefined && 'edit' in change && change.edit(text) !== undefined,
    )
  }
  // Fixes of one link exclude each other, so the first and the second ones are tried apart.
  for (const at of [1, 0]) {
    const tried = findings.flatMap((finding) => {
      const change = finding.fixes[at]?.change
      return change !== undefined && 'repair' in change ? [{ finding, repair: change.repair }] : []
    })
    const { signal } = source
    const { left } = await source.index.planRepairs(
      tried.map(({ repair }) => repair),
      { ...(signal && { signal }) },
    )
    // A link to a hidden note is shown like any link to a missing one.
    const impossible = new Set(left.filter(({ isHidden }) => !isHidden).map(({ repair }) => repair))
    for (const { finding, repair } of tried) if (impossible.has(repair)) finding.fixes.splice(at, 1)
  }
}
