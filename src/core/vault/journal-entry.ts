import type { AppliedChange, ContentHash, SettledSteps, UndoneSteps } from './change-set.js'
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
  settles?: SettledSteps[]
}

/** The journal is a list of rows: an intent before anything is touched, and how it ended. */
export type JournalRow =
  | { row: 'intent'; entry: JournalEntry }
  /** Stands before anything is taken back. From here on the entry only goes back, whoever goes on with it. */
  | { row: 'rolling-back'; sequence: number }
  | { row: 'done'; sequence: number }
  | { row: 'rolled-back'; sequence: number; reason: string }
  /** Ended one way, but for some steps: someone else had changed their notes, which were left alone. */
  | { row: 'undecided'; sequence: number; went: 'finished' | 'taken-back'; steps: number[] }

export interface RecordedEntry {
  entry: JournalEntry
  /** `open`: an intent without an end, so its process died or its disk failed. */
  state: 'open' | 'applied' | 'rolled-back'
  /** An open entry that is being taken back. */
  isGoingBack: boolean
  /** Indexes of the steps that went neither way. `unsettledSteps` tells which of them nobody has decided on yet. */
  undecided: Set<number>
  /** Indexes of the steps that later entries have taken back. */
  undone: Set<number>
}

export interface HistoryEntry {
  id: string
  time: number
  title: string
  session?: string
  /**
   * `partly-undone`: one note's change was taken back, others stand. `undecided`: cut off, and someone else changed
   * some of its notes before it could end; `unsettled` names them. `damaged`: a row that cannot be read, as the title says.
   */
  state: 'applied' | 'undone' | 'partly-undone' | 'rolled-back' | 'unfinished' | 'undecided' | 'damaged'
  unsettled?: UnsettledNotes
  changes: AppliedChange[]
  /** Ids of the change sets this one took back. */
  undoes: string[]
}

/** Notes that a change set found changed by someone else when it was mended, and left as they were. */
export interface UnsettledNotes {
  /** What happened to all the other notes of the set. */
  went: 'finished' | 'taken-back'
  notes: NotePath[]
}

/** Takes one more row of a journal into what its rows come to: entries by sequence, in order. */
export function recordRow(entries: Map<number, RecordedEntry>, row: JournalRow): void {
  if (row.row === 'intent') {
    // A copy of a row, as a disk that is mended may leave one, begins nothing anew.
    if (entries.has(row.entry.sequence)) return
    endEarlier(entries, row.entry.sequence)
    const fresh = { isGoingBack: false, undecided: new Set<number>(), undone: new Set<number>() }
    entries.set(row.entry.sequence, { entry: row.entry, state: 'open', ...fresh })
    return
  }
  const recorded = entries.get(row.sequence)
  if (recorded === undefined) {
    endEarlier(entries, row.sequence)
    return
  }
  const wasApplied = recorded.state === 'applied'
  recorded.isGoingBack = row.row === 'rolling-back'
  recorded.undecided = new Set(row.row === 'undecided' ? row.steps : [])
  recorded.state = stateAfter(row)
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
  const earlier = entries.get(before)
  if (earlier?.state === 'open') recordRow(entries, supposedEnd(earlier))
}

function stateAfter(row: Exclude<JournalRow, { row: 'intent' }>): RecordedEntry['state'] {
  if (row.row === 'rolling-back') return 'open'
  return row.row === 'done' || (row.row === 'undecided' && row.went === 'finished') ? 'applied' : 'rolled-back'
}

function supposedEnd({ entry: { sequence }, isGoingBack }: RecordedEntry): JournalRow {
  return isGoingBack ? { row: 'rolled-back', sequence, reason: '' } : { row: 'done', sequence }
}

/** Newest first, with what is damaged in its place. */
export function historyOf(entries: Map<number, RecordedEntry>, damaged: readonly DamagedRow[] = []): HistoryEntry[] {
  const placed = [
    ...[...entries].map(([after, recorded]) => ({ line: historyLine(entries, recorded), after })),
    ...damaged.map((row) => ({ line: damagedHistory(row, entries), after: row.after })),
  ]
  // A stable sort: a damaged row stands behind the change it follows.
  return placed
    .sort((a, b) => a.after - b.after)
    .map(({ line }) => line)
    .reverse()
}

function historyLine(entries: Map<number, RecordedEntry>, recorded: RecordedEntry): HistoryEntry {
  const { entry } = recorded
  const unsettled = unsettledNotes(entries, recorded)
  return {
    id: entry.id,
    time: entry.time,
    title: entry.title,
    session: entry.session,
    state: unsettled === undefined ? historyState(recorded) : 'undecided',
    ...(unsettled && { unsettled }),
    changes: entry.changes,
    undoes: (entry.undoes ?? []).flatMap(({ sequence }) => entries.get(sequence)?.entry.id ?? []),
  }
}

/** Steps that went neither way and that no later change set has settled. Undoing that one opens the question again. */
export function unsettledSteps(entries: Map<number, RecordedEntry>, { entry, undecided }: RecordedEntry): number[] {
  if (undecided.size === 0) return []
  const settled = new Set<number>()
  for (const other of entries.values()) {
    if (other.state !== 'applied' || (other.entry.steps.length > 0 && isUndone(other))) continue
    for (const { sequence, steps } of other.entry.settles ?? []) {
      if (sequence === entry.sequence) for (const step of steps) settled.add(step)
    }
  }
  return [...undecided].filter((step) => !settled.has(step))
}

function unsettledNotes(entries: Map<number, RecordedEntry>, recorded: RecordedEntry): UnsettledNotes | undefined {
  const steps = unsettledSteps(entries, recorded)
  if (steps.length === 0) return undefined
  const notes = steps.map((step) => recorded.entry.steps[step].path)
  return { went: recorded.state === 'applied' ? 'finished' : 'taken-back', notes: [...new Set(notes)] }
}

function historyState({ state, entry, undone }: RecordedEntry): HistoryEntry['state'] {
  if (state === 'open') return 'unfinished'
  if (state === 'rolled-back') return state
  if (undone.size === 0) return 'applied'
  return undone.size < entry.steps.length ? 'partly-undone' : 'undone'
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
