import type { MoveImpact, Notebook } from '../../../core/index/index.js'
import { impactLines } from '../../../core/session/index.js'
import { count } from '../../../core/text/index.js'
import {
  type ChangeRule,
  type ChangeSet,
  diffParts,
  type NumberedLine,
  type PlannedChanges,
  type ShownChange,
  showChanges,
  type UndoConflict,
} from '../../../core/vault/index.js'
import { type Style, type Terminal, terminalText, visibleLine } from '../terminal/terminal.js'
import { cutToWidth } from '../terminal/text-width.js'

const filesInExcerpt = 5
const linesPerFile = 12

/** The changes for scripts: kind and path, the hash each is bound to, and the diff on request. */
export async function changesAsData(
  changeSet: ChangeSet,
  notebook: Notebook,
  withDiff = false,
): Promise<Record<string, unknown>[]> {
  const shown = withDiff ? await show(changeSet, notebook) : []
  return changeSet.changes.map((change, at) => ({
    kind: change.kind,
    path: change.path,
    ...('to' in change && { to: change.to }),
    ...('before' in change && { before: change.before }),
    ...(shown[at]?.diff !== undefined && { diff: shown[at].diff }),
  }))
}

/** The changes that a dry run of a tool has planned. */
export function showPlanned({ title, changes }: PlannedChanges, { style, width }: Pick<Terminal, 'style' | 'width'>) {
  return [style.strong(visibleLine(title)), ...changes.map((change) => showChange(change, style, width))].join('\n')
}

/** Notes that keep later edits when an undo reverts an earlier change in them. */
export function describeKeptEdits({ merged = [] }: ChangeSet, { style }: Pick<Terminal, 'style'>): string {
  if (merged.length === 0) return ''
  const names = merged.slice(0, filesInExcerpt).map((path) => terminalText(path))
  const more = merged.length > names.length ? ` and ${count(merged.length - names.length, 'more note')}` : ''
  return style.faint(`  keeps later edits in: ${names.join(', ')}${more}`)
}

/** The first few diffs, as an impression of the change. */
export async function diffExcerpt(
  changeSet: ChangeSet,
  notebook: Notebook,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): Promise<string> {
  const edited = changeSet.changes.filter(({ kind }) => kind !== 'move')
  const chosen = new Set(edited.slice(0, filesInExcerpt))
  const changes = changeSet.changes.filter((change) => change.kind === 'move' || chosen.has(change))
  const shown = await show({ ...changeSet, changes }, notebook)
  const parts = shown.filter(({ kind }) => kind !== 'move').map((change) => showChange(change, style, width))
  const left = edited.length - parts.length
  if (left > 0) parts.push(style.faint(`… and ${left} more changed files (show all with --dry-run --json)`))
  return parts.join('\n')
}

function showChange({ kind, path, diff }: ShownChange, style: Style, width: number): string {
  const words = { create: 'create', edit: 'change', append: 'add to', move: 'move', trash: 'move to trash' }
  const head = `${style.strong(words[kind])} ${terminalText(path)}`
  if (diff === undefined) return head
  const lines = compactDiff(diff, width - 2)
  const body = lines.slice(0, linesPerFile).map((line) => `  ${paintDiffLine(line, style)}`)
  if (lines.length > linesPerFile) body.push(style.faint(`  … ${count(lines.length - linesPerFile, 'more line')}`))
  return [head, ...body].join('\n')
}

function paintDiffLine(line: string, style: Style): string {
  if (line.startsWith('+')) return style.added(line)
  if (line.startsWith('-')) return style.removed(line)
  return style.faint(line)
}

/** A note that may not be read is listed as changed, without its text. */
async function show(changeSet: ChangeSet, notebook: Notebook): Promise<ShownChange[]> {
  const hidden = new Set<string>()
  const shown = await showChanges(changeSet, async (path) => {
    const file = await notebook.vault.read(path)
    if (file === undefined) hidden.add(path)
    return file
  })
  return shown.map(({ diff, ...change }) =>
    change.kind !== 'create' && hidden.has(change.path) ? change : { ...change, ...(diff !== undefined && { diff }) },
  )
}

/** Characters kept before the first difference of a long line. */
const lead = 24

/**
 * The changed lines of a unified diff with their numbers, without context, one terminal line each: a long line is
 * shown from shortly before the place where it changes. Text that is not a diff comes back as it is.
 */
export function compactDiff(diff: string, width: number): string[] {
  return diffParts(diff).flatMap((part) => {
    if (part.kind === 'replaced') return pairs(part.removed, part.added, width)
    return part.kind === 'remark' ? [cutToWidth(visibleLine(part.text), width)] : []
  })
}

/** Removed lines, then added ones; a line and its replacement are cut at the same place. */
function pairs(removed: NumberedLine[], added: NumberedLine[], width: number): string[] {
  const starts = removed.map(({ text }, at) => startOf(text, added[at]?.text))
  const draw = (mark: string, { number, text }: NumberedLine, start = 0) => {
    const from = start > lead ? `…${text.slice(start - lead)}` : text
    return cutToWidth(`${mark} ${String(number).padStart(4)}  ${visibleLine(from)}`, width)
  }
  return [
    ...removed.map((line, at) => draw('-', line, starts[at])),
    ...added.map((line, at) => draw('+', line, starts[at])),
  ]
}

/** Index of the first difference, never inside a surrogate pair; 0 without a text to compare. */
function startOf(text: string, other: string | undefined): number {
  if (other === undefined) return 0
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  const cut = at - lead
  return cut > 0 && /[\udc00-\udfff]/.test(text.charAt(cut)) ? at + 1 : at
}

const linesPerSide = 12

/** Shows the current lines and the earlier ones, so that the user can choose. */
export function showConflict(conflict: UndoConflict, { style }: Pick<Terminal, 'style'>): string {
  const { path, line, why, scope, mine, earlier } = conflict
  const where = scope === 'lines' ? `${visibleLine(path)}, line ${line}` : visibleLine(path)
  return [
    `${style.strong(where)} ${why}`,
    style.faint('  now:'),
    ...side('-', mine, style.removed, style.faint),
    style.faint('  before the change:'),
    ...side('+', earlier, style.added, style.faint),
  ].join('\n')
}

function side(
  mark: string,
  lines: string[],
  paint: (text: string) => string,
  faint: (text: string) => string,
): string[] {
  if (lines.length === 0) return [faint('  (nothing)')]
  const shown = lines.slice(0, linesPerSide).map((line) => paint(`  ${mark}${visibleLine(line.replace(/\r?\n$/, ''))}`))
  return lines.length > linesPerSide
    ? [...shown, faint(`  … ${count(lines.length - linesPerSide, 'more line')}`)]
    : shown
}

/** The choice that the user's answer names; undefined for anything else. */
export function parseConflictChoice(answer: string | undefined): 'keep-mine' | 'take-back' | undefined {
  if (/^\s*k(eep)?\s*$/i.test(answer ?? '')) return 'keep-mine'
  if (/^\s*u(ndo)?\s*$/i.test(answer ?? '')) return 'take-back'
  return undefined
}

export const conflictQuestion = 'Keep these lines as they are now, or undo them? [k/u]'

/** One line for each rule of a change of many notes, with the number of notes and places. */
export function showRules(rules: readonly Pick<ChangeRule, 'title' | 'notes' | 'places'>[], style: Style): string[] {
  return rules.map(({ title, notes, places }) => {
    const more = places === notes ? '' : `, ${count(places, 'place')}`
    return `  ${visibleLine(title)}  ${style.faint(`${count(notes, 'note')}${more}`)}`
  })
}

/** Shows how a move changes links, and which links it cannot update. */
export function showImpact(impact: MoveImpact, style: Style): string[] {
  return impactLines(impact).map(({ warning, text }) => {
    const mark = warning === undefined ? '' : `${style.warning(warning)}${warning === '!' ? ' ' : ': '}`
    return `  ${mark}${visibleLine(text)}`
  })
}
