import type { Notebook } from '../../../core/index/index.js'
import { scanNote } from '../../../core/markdown/index.js'
import { count } from '../../../core/text/index.js'
import { type ChangeSet, decodeNote, isNote } from '../../../core/vault/index.js'
import { type Terminal, visibleLine } from '../terminal/terminal.js'
import { describeKeptEdits, diffExcerpt } from './changes.js'

/** An undo in words: before it is approved, and after it is done. */
export interface UndoWords {
  preview: string
  done: string
}

const mostMoves = 10

/** A move is shown as a move with the number of links it updates. */
export async function undoWords(
  changeSet: ChangeSet,
  notebook: Notebook,
  { style, width }: Pick<Terminal, 'style' | 'width'>,
): Promise<UndoWords> {
  const moves = changeSet.changes.filter((change) => change.kind === 'move')
  const { links, notes } = moves.length === 0 ? { links: 0, notes: 0 } : await updatedLinks(changeSet, notebook)
  const named = moves.map(({ path, to }) => `${visibleLine(path)} to ${visibleLine(to)}`)
  const shown = named.slice(0, mostMoves).map((words) => `  Move ${words}`)
  if (named.length > shown.length) shown.push(`  … and ${count(named.length - shown.length, 'more move')}`)
  if (links > 0) shown.push(`  Update ${count(links, 'link')} in ${count(notes, 'note')}`)
  const kept = describeKeptEdits(changeSet, { style })
  const excerpt = await diffExcerpt(changeSet, notebook, { style, width })
  const parts = [style.strong(visibleLine(changeSet.title)), ...shown, kept, excerpt === '' ? '' : `\n${excerpt}`]
  return { preview: parts.filter((part) => part !== '').join('\n'), done: doneWords(changeSet, named, links, notes) }
}

function doneWords({ changes }: ChangeSet, moves: string[], links: number, notes: number): string {
  if (moves.length === 0) return `Undid ${count(changes.length, 'change')}.`
  const moved = moves.length === 1 ? `Moved ${moves[0]}` : `${count(moves.length, 'file')} moved back`
  return `${moved}${links === 0 ? '' : `, ${count(links, 'link')} updated in ${count(notes, 'note')}`}.`
}

/** Counts links that a change set writes differently, and the notes they are in. Notes that may not be read count without links. */
async function updatedLinks({ changes }: ChangeSet, notebook: Notebook): Promise<{ links: number; notes: number }> {
  const movedFrom = new Map(changes.flatMap((change) => (change.kind === 'move' ? [[change.to, change.path]] : [])))
  let links = 0
  let notes = 0
  for (const change of changes) {
    if (change.kind !== 'edit' || !isNote(change.path)) continue
    const before = await notebook.vault.read(movedFrom.get(change.path) ?? change.path)
    if (before === undefined) continue
    const changed = changedLinks(before.text, decodeNote(change.after).text)
    links += changed
    if (changed > 0) notes++
  }
  return { links, notes }
}

function changedLinks(before: string, after: string): number {
  const old = scanNote(before).links
  return scanNote(after).links.filter(({ raw }, at) => raw !== old[at]?.raw).length
}
