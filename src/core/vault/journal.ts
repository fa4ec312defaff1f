import type { AppliedChange, ContentHash, ResolvedSteps, UndoneSteps } from './change-set.js'
import type { NotePath } from './note-path.js'

// `!` is used on steps that `undecidedSteps` lists, and on entries below their count.

/** One file's part of an applied change set: enough to finish it, to roll it back and to undo it. */
export type JournalStep =
  | {
      kind: 'write'
      path: NotePath
      /** null: there was no file. */
      before: ContentHash | null
      after: ContentHash
      /** Path the bytes came from, if a note was moved and rewritten. */
      origin?: NotePath | undefined
      appended?: { offset: number; length: number; hash: ContentHash } | undefined
    }
  | { kind: 'remove'; path: NotePath; before: ContentHash }
  /** `hash` is null where the file was not read: an attachment that only moved. */
  | { kind: 'rename'; path: NotePath; to: NotePath; hash: ContentHash | null; trash?: true }

/** A change set in the journal, with its steps. */
export interface JournalEntry {
  /** Grows by one with every entry of this vault's journal. */
  sequence: number
  id: string
  time: number
  title: string
  session?: string | undefined
  changes: AppliedChange[]
  steps: JournalStep[]
  /** Folders that had to be made, outermost first. */
  folders: string[]
  /** Folders to take away again if they end up empty. */
  emptied: string[]
  undoes?: UndoneSteps[] | undefined
  settles?: ResolvedSteps[] | undefined
}

/** When the change set was interrupted by a crash and ended by a later start: the time of that. */
interface Recovered {
  recoveredAt?: number | undefined
}

/** The journal is a list of rows: an intent before anything is touched, and how it ended. */
export type JournalRow =
  | { row: 'intent'; entry: JournalEntry }
  /** Written before a rollback. From here on the entry only rolls back, whichever process continues. */
  | { row: 'rolling-back'; sequence: number }
  | ({ row: 'done'; sequence: number } & Recovered)
  | ({ row: 'rolled-back'; sequence: number; reason: string } & Recovered)
  /** Ended one way, except for some steps whose notes others had changed; these were left alone. */
  | ({ row: 'undecided'; sequence: number; went: 'finished' | 'taken-back'; steps: number[] } & Recovered)

export interface RecordedEntry extends Recovered {
  entry: JournalEntry
  /** `open`: an intent without an end, so its process died or its disk failed. */
  state: 'open' | 'applied' | 'rolled-back'
  /** An open entry that is being rolled back. */
  isGoingBack: boolean
  /** Indexes of the steps that went neither way. `undecidedSteps` lists the undecided ones. */
  undecided: Set<number>
  /** Indexes of the steps that later entries have reverted. */
  undone: Set<number>
}

/** A change set in the journal, as the history shows it. */
export interface HistoryEntry {
  id: string
  time: number
  title: string
  session?: string | undefined
  /**
   * `partly-undone`: one note's change was undone, others remain. `undecided`: interrupted, and someone else changed
   * some of its notes before it could end; `unsettled` names them. `damaged`: a row that cannot be read, as the title says.
   */
  state: 'applied' | 'undone' | 'partly-undone' | 'rolled-back' | 'unfinished' | 'undecided' | 'damaged'
  unsettled?: UndecidedNotes
  /** Interrupted by a crash; a later start ended it, at this time and in this way. */
  recovered?: { at: number; went: 'finished' | 'taken-back' }
  changes: AppliedChange[]
  /** Ids of the change sets that this one undid. */
  undoes: string[]
}

/** Notes that recovery found changed by others and left as they were. */
export interface UndecidedNotes {
  /** The outcome of all other notes of the set. */
  went: 'finished' | 'taken-back'
  notes: NotePath[]
}

/** Applies one more journal row to the state: entries by sequence, in order. */
export function recordRow(entries: Map<number, RecordedEntry>, row: JournalRow): void {
  if (row.row === 'intent') {
    // A duplicate row, as a repaired disk may contain, does not begin the entry again.
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
  recorded.recoveredAt = row.row === 'rolling-back' ? undefined : row.recoveredAt
  if (recorded.state === 'applied' && !wasApplied) markUndone(entries, recorded.entry.undoes, true)
  if (recorded.state !== 'applied' && wasApplied) markUndone(entries, recorded.entry.undoes, false)
}

/**
 * Nothing begins before what came before it has ended. If the row that said so is damaged, it must not be mistaken for
 * a crash and taken back now.
 */
function endEarlier(entries: Map<number, RecordedEntry>, sequence: number): void {
  if (entries.size === 0) return
  // With rows lost, the previous entry is further away.
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

/** Newest first, with damaged rows in their place. */
export function historyOf(entries: Map<number, RecordedEntry>, damaged: readonly DamagedRow[] = []): HistoryEntry[] {
  const placed = [
    ...[...entries].map(([after, recorded]) => ({ line: historyLine(entries, recorded), after })),
    ...damaged.map((row) => ({ line: damagedHistory(row, entries), after: row.after })),
  ]
  // A stable sort: a damaged row follows the change it comes after.
  return placed
    .sort((a, b) => a.after - b.after)
    .map(({ line }) => line)
    .reverse()
}

function historyLine(entries: Map<number, RecordedEntry>, recorded: RecordedEntry): HistoryEntry {
  const { entry, recoveredAt } = recorded
  const unsettled = undecidedNotes(entries, recorded)
  return {
    id: entry.id,
    time: entry.time,
    title: entry.title,
    session: entry.session,
    state: unsettled === undefined ? historyState(recorded) : 'undecided',
    ...(unsettled && { unsettled }),
    ...(recoveredAt !== undefined && { recovered: { at: recoveredAt, went: wentOf(recorded) } }),
    changes: entry.changes,
    undoes: (entry.undoes ?? []).flatMap(({ sequence }) => entries.get(sequence)?.entry.id ?? []),
  }
}

/** Steps that went neither way and that no later change set has resolved. Undoing that one makes them open again. */
export function undecidedSteps(entries: Map<number, RecordedEntry>, { entry, undecided }: RecordedEntry): number[] {
  if (undecided.size === 0) return []
  const resolved = new Set<number>()
  for (const other of entries.values()) {
    if (other.state !== 'applied' || (other.entry.steps.length > 0 && isUndone(other))) continue
    for (const { sequence, steps } of other.entry.settles ?? []) {
      if (sequence === entry.sequence) for (const step of steps) resolved.add(step)
    }
  }
  return [...undecided].filter((step) => !resolved.has(step))
}

function undecidedNotes(entries: Map<number, RecordedEntry>, recorded: RecordedEntry): UndecidedNotes | undefined {
  const steps = undecidedSteps(entries, recorded)
  if (steps.length === 0) return undefined
  const notes = steps.map((step) => recorded.entry.steps[step]!.path)
  return { went: wentOf(recorded), notes: [...new Set(notes)] }
}

const wentOf = ({ state }: RecordedEntry): 'finished' | 'taken-back' =>
  state === 'applied' ? 'finished' : 'taken-back'

function historyState({ state, entry, undone }: RecordedEntry): HistoryEntry['state'] {
  if (state === 'open') return 'unfinished'
  if (state === 'rolled-back') return state
  if (undone.size === 0) return 'applied'
  return undone.size < entry.steps.length ? 'partly-undone' : 'undone'
}

/** Undoing an undo restores the change that was undone. */
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

/** An unreadable row of the journal. Its recovered fields are uncertain, so no action is ever based on them. */
export interface DamagedRow {
  /** 1-based line in the log on disk. */
  line: number
  /** The newest change before it in the log; 0 if there is none. */
  after: number
  /** Its end is missing, as a crash or a full disk leaves a row. */
  isCut: boolean
  remains: DamagedRowFields
  /** The file with the texts from before the change, where its row is lost and they are not. */
  earlierTexts?: string
}

/** `intent` began a change, `end` recorded its outcome. */
export interface DamagedRowFields {
  row?: 'intent' | 'end'
  sequence?: number
  id?: string
  title?: string
  time?: number
}

/** Reads the fields that are still legible in a damaged row. */
export function readDamagedRow(text: string): DamagedRowFields {
  const row = /"row":"([a-z-]+)"/.exec(text)?.[1]
  // An undo names the sequences of others before its own.
  const sequence = row === 'intent' ? /"sequence":(\d{1,15})\},"notes"/ : /"sequence":(\d{1,15})\b/
  return {
    ...(row !== undefined && { row: row === 'intent' ? 'intent' : 'end' }),
    ...valueIn(text, 'sequence', sequence),
    ...valueIn(text, 'time', /"time":(\d{1,15})\b/),
    ...valueIn(text, 'id', /"id":("[\w-]{1,64}")/),
    ...valueIn(text, 'title', /"title":("(?:[^"\\]|\\.){1,1000}")/),
  }
}

/** Damaged rows as lines of the history, so that users notice missing entries. */
export function damagedHistory(row: DamagedRow, entries: Map<number, RecordedEntry>): HistoryEntry {
  const { line, remains, after } = row
  return {
    id: remains.id ?? `row-${line}`,
    time: remains.time ?? entries.get(after)?.entry.time ?? 0,
    title: damageSentence(row, entries),
    state: 'damaged',
    changes: [],
    undoes: [],
  }
}

function damageSentence(row: DamagedRow, entries: Map<number, RecordedEntry>): string {
  const { line, isCut, after, remains } = row
  const head = `Row ${line} of the journal is ${isCut ? 'incomplete' : 'damaged'}`
  const about = entries.get(remains.sequence ?? after)
  // An intent comes before its end: where the change is known, the damaged row was its end.
  if (remains.row === 'end' && about !== undefined) {
    const state = about.state === 'open' ? 'unknown' : `assumed to be "${about.state}"`
    return `${head}: the outcome of "${about.entry.title}" is ${state}.`
  }
  const which =
    remains.title === undefined
      ? 'it contained a change that is lost'
      : `it contained "${remains.title}", which is lost`
  const began = isCut ? ' (or never started)' : ''
  const kept = row.earlierTexts === undefined ? '' : ` The earlier texts are kept in ${row.earlierTexts}.`
  return `${head}: ${which} and cannot be undone${began}.${kept}`
}

function valueIn(text: string, name: keyof DamagedRowFields, pattern: RegExp): DamagedRowFields {
  const json = pattern.exec(text)?.[1]
  try {
    return json === undefined ? {} : { [name]: JSON.parse(json) as unknown }
  } catch {
    return {}
  }
}

/** Limits of the journal's size and age. */
export interface Retention {
  /** The newest entries to keep regardless of time. Default 200. */
  changes?: number
  /** Days of the journal's own time. Default 30. */
  days?: number
  /** Default 1 GB. */
  bytes?: number
}

export interface RetentionEntry {
  sequence: number
  time: number
  /** Not ended yet, or to be resolved by the user: never dropped. */
  isOpen: boolean
  bytes: number
}

/**
 * The entries that can be deleted, in order. If they take too much room, the oldest go. The rest go by age, but the
 * newest `changes` entries are kept. The newest one always stays.  Age does not use the current time, since clocks may
 * jump by years: it is the sum of the gaps between changes, each counted as 0–24 hours.
 */
export function expiredEntries(entries: readonly RetentionEntry[], retention: Retention): Set<number> {
  const { changes = 200, days = 30, bytes: maxBytes = 1_000_000_000 } = retention
  const dropped = new Set<number>()
  let bytes = 0
  let age = 0
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]!
    const next = entries[at + 1]
    if (next !== undefined) age += Math.min(Math.max(0, next.time - entry.time), dayMs)
    bytes += entry.bytes
    const newer = entries.length - 1 - at
    const isTooOld = newer >= changes && age > days * dayMs
    if (newer > 0 && !entry.isOpen && (bytes > maxBytes || isTooOld)) dropped.add(entry.sequence)
  }
  return dropped
}

const dayMs = 86_400_000
