import type { Notebook } from '../../../core/notebook/index.js'
import { type ChangeSet, type ShownChange, showChanges } from '../../../core/vault/index.js'
import { type Style, type Terminal, visibleText } from '../terminal/index.js'
import { compactDiff } from './compact-diff.js'
import { count } from './quantities.js'

const filesInExcerpt = 5
const linesPerFile = 12

/** The changes as scripts get them: what and where, the hash each is bound to, and the diff when asked for. */
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

/** Which notes keep what was written into them since, where an undo takes something back out of them. */
export function keptEdits({ merged = [] }: ChangeSet, { style }: Pick<Terminal, 'style'>): string {
  if (merged.length === 0) return ''
  const names = merged.slice(0, filesInExcerpt).map((path) => visibleText(path))
  const more = merged.length > names.length ? ` and ${count(merged.length - names.length, 'more note')}` : ''
  return style.faint(`  edited since; these edits stay: ${names.join(', ')}${more}`)
}

/** The first few diffs, for a person to see what kind of change it is. */
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
  if (left > 0) parts.push(style.faint(`… and ${left} more changed files (all of them: --dry-run --json)`))
  return parts.join('\n')
}

function showChange({ kind, path, diff }: ShownChange, style: Style, width: number): string {
  const words = { create: 'create', edit: 'change', append: 'add to', move: 'move', trash: 'remove' }
  const head = `${style.strong(words[kind])} ${visibleText(path)}`
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

/** Of a note that may not be read it is told that it changes, and nothing of its text. */
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
