import { checkKinds, checkTitles, type FixKind, fixKinds } from '../../../core/check/index.js'
import { Failure } from '../../../core/errors.js'
import { count, nearestName } from '../../../core/text/index.js'
import type { ChangeRule } from '../../../core/vault/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, nothingChanged, parseList, wholeNumber } from '../program/options.js'
import { type CallDone, callForCommand } from '../session/call-tool.js'
import { shortId } from '../session/last-change.js'
import { withSession } from '../session/open-session.js'
import { showPlanned, showRules } from '../show/changes.js'
import { type Terminal, terminalText, visibleLine } from '../terminal/terminal.js'

export const declareCheck: DeclareCommand = (command, run) => {
  command
    .option('--only <kinds>', `only these problems, with commas between them: ${checkKinds.join(', ')}`, parseList)
    .option('--folder <folder>', 'only notes in this folder and below')
    .option('-n, --limit <number>', 'problems to show of each kind, at most 500', wholeNumber(1, 500), 20)
    .option('--fix [fixes]', `fix problems after your approval: ${fixKinds.join(', ')}; default: all but unlink`)
    .option('--dry-run', 'with --fix: show the change without making it')
    .option('-y, --yes', 'with --fix: apply without asking')
    .addHelpText(
      'after',
      examples(
        ['notewright check', 'list all problems'],
        ['notewright check --only links,orphans --folder Projects'],
        ['notewright check --fix --dry-run', 'show what would be fixed'],
        ['notewright check --only links --fix redirect,unlink', 'redirect broken links, else keep only their text'],
      ),
    )
    .action((options: CheckOptions) => run((to) => check(to, options)))
}

interface CheckOptions extends ChangeOptions {
  only?: string[]
  folder?: string
  limit: number
  fix?: true | string
}

async function check(invocation: Invocation, options: CheckOptions): Promise<void> {
  const { folder, yes, dryRun, fix } = options
  const only = options.only?.map((kind) => known(kind, checkKinds, '--only'))
  if (fix === undefined && (yes || dryRun)) {
    throw new Failure('invalid-input', '--yes and --dry-run go with --fix.')
  }
  const input = { ...(only && { only }), ...(folder !== undefined && { folder }) }
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const { signal, terminal } = invocation
    if (fix !== undefined) {
      const fixes = fixesIn(fix)
      const call = { name: 'fix_vault', input: { ...input, fixes }, needsApproval: 'Fixing the vault' }
      return reportFixes(await callForCommand(opened, call, signal), terminal)
    }
    const call = { name: 'check_vault', input: { ...input, each: options.limit }, needsApproval: 'Checking the vault' }
    const found = (await callForCommand(opened, call, signal)).output as Found
    if (terminal.json) return terminal.printJson(found)
    printFindings(found, terminal)
  })
}

function fixesIn(fix: true | string): FixKind[] {
  // Most links to missing notes are notes to be written.
  if (fix === true) return fixKinds.filter((kind) => kind !== 'unlink')
  return parseList(fix).map((kind) => known(kind, fixKinds, '--fix'))
}

function known<Name extends string>(typed: string, names: readonly Name[], option: string): Name {
  const wanted = typed.trim().toLowerCase()
  const found = names.find((name) => name === wanted)
  if (found !== undefined) return found
  const near = nearestName(wanted, names)
  throw new Failure('invalid-input', `${option} cannot be ${JSON.stringify(typed)}.`, {
    hint: near === undefined ? `Use one of ${names.join(', ')}.` : `Did you mean ${near}?`,
  })
}

/** The output of `check_vault`. */
interface Found {
  totals: Partial<Record<(typeof checkKinds)[number], number>>
  findings: {
    id: string
    kind: string
    path: string
    line?: number
    link?: string
    problem: string
    fixes: { kind: string; title: string }[]
    near?: string[]
  }[]
}

function printFindings({ totals, findings }: Found, terminal: Terminal): void {
  const { style } = terminal
  for (const kind of checkKinds) {
    const total = totals[kind] ?? 0
    const own = findings.filter((finding) => finding.kind === kind)
    if (total === 0) continue
    terminal.print(style.strong(`${checkTitles[kind]} (${total.toLocaleString('en')})`))
    for (const { path, line, link, problem, fixes, near } of own) {
      const place = `${terminalText(path)}${line === undefined ? '' : `:${line}`}`
      terminal.print(`  ${place}${link === undefined ? '' : `  ${visibleLine(link)}`}`)
      const [fix] = fixes
      const advice =
        near !== undefined ? `Equally near: ${near.join(', ')}` : fix === undefined ? '' : `Fix: ${fix.title}`
      // The heading of the group says it for notes without links.
      const about = kind === 'orphans' || kind === 'unlinked' || kind === 'empty' ? '' : problem
      const said = [about, advice].filter((part) => part !== '').join(' ')
      if (said !== '') terminal.print(style.faint(`    ${visibleLine(said)}`))
    }
    if (own.length < total) {
      terminal.print(
        style.faint(`  … and ${(total - own.length).toLocaleString('en')} more (show with --only ${kind} --limit 500)`),
      )
    }
  }
  const all = Object.values(totals).reduce((sum, total) => sum + total, 0)
  const isFixable = findings.some(({ fixes }) => fixes.some(({ kind }) => kind !== 'unlink'))
  terminal.say(
    all === 0
      ? 'No problems found.'
      : `${count(all, 'problem')}.${isFixable ? ' To see the proposed fixes as a change: notewright check --fix --dry-run' : ''}`,
  )
}

/** The output of `fix_vault`. */
interface Fixed {
  fixed: number
  notes: number
  rules: Pick<ChangeRule, 'title' | 'notes' | 'places'>[]
  not_fixed?: string[]
}

const changesShown = 10

function reportFixes({ changeSet, planned, output }: CallDone, terminal: Terminal): void {
  const { fixed, notes, rules, not_fixed: left = [] } = output as Fixed
  if (terminal.json) {
    const { id, title, changes } = changeSet ?? planned ?? { changes: [] }
    const applied = changeSet !== undefined
    const facts = { id, title, fixed, notes, rules: planned?.rules ?? rules, notFixed: left, applied }
    terminal.printJson({ ...facts, appliedAt: changeSet?.appliedAt, changes })
    return
  }
  for (const each of left) terminal.say(terminalText(`Not fixed: ${each}`))
  if (fixed === 0) {
    terminal.say('There is nothing to fix in this way.')
    return
  }
  if (planned !== undefined) {
    const { title, changes } = planned
    terminal.print(showPlanned({ ...planned, title, changes: changes.slice(0, changesShown) }, terminal))
    const more = changes.length - changesShown
    if (more > 0) terminal.print(terminal.style.faint(`… and ${count(more, 'more file')} (show all with --json)`))
    if (rules.length > 1)
      terminal.print(
        showRules(
          (planned.rules ?? []).filter(({ places }) => places > 0),
          terminal.style,
        ).join('\n'),
      )
    terminal.say(nothingChanged)
    return
  }
  const { good, faint } = terminal.messageStyle
  const undo = changeSet === undefined ? '' : faint(` (undo: notewright undo ${shortId(changeSet.id)})`)
  terminal.say(`${good('✓')} ${count(fixed, 'problem')} fixed in ${count(notes, 'note')}${undo}`)
}
