import type { AppliedChange, ContentHash, UndoneSteps } from './change-set.js'
import { type DamagedRow, damagedHistory } from './damaged-row.js'
import type { NotePath } from './note-path.js'

/** One file's part of an applied change set: enough to finish it, to roll it back and to undo it. */
export type JournalStep =
  | {
      kind: 'write'
      path: NotePath
      /** null: there was no file. */
      before: ContentHash | null
      after: ContentHash
      /** Where the bytes came from, if it is a note that was moved and rewritten. */
      origin?: NotePath
      appended?: { offset: number; length: number; hash: ContentHash }
    }
  | { kind: 'remove'; path: NotePath; before: ContentHash }
  /** `hash` is null where the file was not read: an attachment that only moved. */
  | { kind: 'rename'; path: NotePath; to: NotePath; hash: ContentHash | null; trash?: true }

export interface JournalEntry {
  /** Grows by one with every entry of this vault's journal. */
  sequence: number
  id: string
  time: number
  title: string
  session?: string
  changes: AppliedChange[]
  steps: JournalStep[]
  /** Folders that had to be made, outermost first. */
  folders: string[]
  /** Folders to take away again if they end up empty. */
  emptied: string[]
  undoes?: UndoneSteps[]
}

/** The journal is a list of rows: an intent before anything is touched, and how it ended. */
export type JournalRow =
  | { row: 'intent'; entry: JournalEntry }
  | { row: 'done'; sequence: number }
  | { row: 'rolled-back'; sequence: number; reason: string }

export interface RecordedEntry {
  entry: JournalEntry
  /** `open`: an intent without an end, so its process died or its disk failed. */
  state: 'open' | 'applied' | 'rolled-back'
  /** Indexes of the steps that later entries have taken back. */
  undone: Set<number>
}

export interface HistoryEntry {
  id: string
  time: number
  title: string
  session?: string
  /** `partly-undone`: one note's change was taken back, others stand. `damaged`: a row that cannot be read, as the title says. */
  state: 'applied' | 'undone' | 'partly-undone' | 'rolled-back' | 'unfinished' | 'damaged'
  changes: AppliedChange[]
  /** Ids of the change sets this one took back. */
  undoes: string[]
}

/** Takes one more row of a journal into what its rows come to: entries by sequence, in order. */
export function recordRow(entries: Map<number, RecordedEntry>, row: JournalRow): void {
  if (row.row === 'intent') {
    // A copy of a row, as a disk that is mended may leave one, begins nothing anew.
    if (entries.has(row.entry.sequence)) return
    endEarlier(entries, row.entry.sequence)
    entries.set(row.entry.sequence, { entry: row.entry, state: 'open', undone: new Set() })
    return
  }
  const recorded = entries.get(row.sequence)
  if (recorded === undefined) {
    endEarlier(entries, row.sequence)
    return
  }
  const wasApplied = recorded.state === 'applied'
  recorded.state = row.row === 'done' ? 'applied' : 'rolled-back'
  if (recorded.state === 'applied' && !wasApplied) markUndone(entries, recorded.entry.undoes, true)
  if (recorded.state !== 'applied' && wasApplied) markUndone(entries, recorded.entry.undoes, false)
}

/**
 * Nothing begins before what came before it has ended. If the row that said so is damaged, it must not be mistaken for
 * a crash and taken back now.
 */
function endEarlier(entries: Map<number, RecordedEntry>, sequence: number): void {
  if (entries.size === 0) return
  // Where rows are lost, the one before is further away.
  let before = sequence - 1
  while (before > 0 && !entries.has(before)) before--
  if (entries.get(before)?.state === 'open') recordRow(entries, { row: 'done', sequence: before })
}

/** Newest first, with what is damaged in its place. */
export function historyOf(entries: Map<number, RecordedEntry>, damaged: readonly DamagedRow[] = []): HistoryEntry[] {
  const lines = [...entries.values()].map(({ entry, state, undone }) => ({
    id: entry.id,
    time: entry.time,
    title: entry.title,
    session: entry.session,
    state: historyState(state, entry.steps.length, undone.size),
    changes: entry.changes,
    undoes: (entry.undoes ?? []).flatMap(({ sequence }) => entries.get(sequence)?.entry.id ?? []),
  }))
  const order = [...entries.keys()]
  const placed = [
    ...lines.map((line, at) => ({ line, after: order[at] })),
    ...damaged.map((row) => ({ line: damagedHistory(row, entries), after: row.after })),
  ]
  // A stable sort: a damaged row stands behind the change it follows.
  return placed
    .sort((a, b) => a.after - b.after)
    .map(({ line }) => line)
    .reverse()
}

function historyState(state: RecordedEntry['state'], steps: number, undone: number): HistoryEntry['state'] {
  if (state === 'open') return 'unfinished'
  if (state === 'rolled-back') return state
  if (undone === 0) return 'applied'
  return undone < steps ? 'partly-undone' : 'undone'
}

/** Undoing an undo brings back what the undo had taken back. */
export function markUndone(
  entries: Map<number, RecordedEntry>,
  undoes: readonly UndoneSteps[] = [],
  undone: boolean,
): void {
  // Newest first when they are taken back, oldest first when they come back: an undo and its target may both be there.
  for (const { sequence, steps } of undone ? undoes : [...undoes].reverse()) {
    const target = entries.get(sequence)
    if (target === undefined) continue
    const was = isUndone(target)
    for (const step of steps) undone ? target.undone.add(step) : target.undone.delete(step)
    if (isUndone(target) !== was) markUndone(entries, target.entry.undoes, was)
  }
}

function isUndone({ entry, undone }: RecordedEntry): boolean {
  return undone.size >= entry.steps.length
}
