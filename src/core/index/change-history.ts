import {
  type ChangeSet,
  type ChooseConflict,
  type HistoryEntry,
  type JournaledVault,
  notePath,
} from '../vault/index.js'

/** Past changes, newest first, of one session or one note if given. */
export async function history(
  vault: JournaledVault,
  { session, note, limit }: { session?: string | undefined; note?: string | undefined; limit?: number } = {},
): Promise<HistoryEntry[]> {
  const touches = ({ changes }: HistoryEntry) => changes.some(({ path, to }) => path === note || to === note)
  // A damaged entry may concern any session and note, so it is always included.
  const entries = (await vault.history()).filter(
    (entry) =>
      entry.state === 'damaged' ||
      ((session === undefined || entry.session === session) && (note === undefined || touches(entry))),
  )
  return entries.slice(0, limit)
}

export function planVaultUndo(
  vault: JournaledVault,
  { id, session, note }: { id?: string | undefined; session?: string | undefined; note?: string | undefined },
  choose?: ChooseConflict,
): Promise<ChangeSet> {
  if (note !== undefined) return vault.planUndo({ note: notePath(note) }, choose)
  return vault.planUndo(session === undefined ? { id: id ?? '' } : { session }, choose)
}

/** Interrupted change sets that are not resolved yet: waiting for a decision, or still to be recovered. */
export async function undecidedChanges(vault: JournaledVault): Promise<HistoryEntry[]> {
  return (await vault.history()).filter(({ state }) => state === 'undecided' || state === 'unfinished')
}

const onTheCommandLine = 'To choose what to keep: notewright recover'

/** One sentence for the user about an interrupted change: what happened to which notes, and how to decide. */
export function undecidedSentence(
  { title, changes, unsettled }: HistoryEntry,
  howToDecide: string = onTheCommandLine,
): string {
  if (unsettled === undefined) {
    const notes = [...new Set(changes.map(({ path }) => path))]
    return `“${title}” was interrupted and is not recovered yet (${someOf(notes)}). Notewright tries again at the next start or change.`
  }
  const { went, notes } = unsettled
  const how = went === 'finished' ? 'completed' : 'undone'
  return `“${title}” was interrupted and then ${how}, except in notes that were edited in the meantime: ${someOf(notes)}. ${howToDecide}`
}

const dayMs = 86_400_000

/**
 * One sentence for the user about the newest change, if a crash interrupted it and it was recovered during the last day.
 * undefined after a later change, whose author has seen the notes as they are.
 */
export async function recoveryNotice(vault: JournaledVault, now = Date.now()): Promise<string | undefined> {
  const newest = (await vault.history()).find(({ state }) => state !== 'damaged')
  if (newest?.recovered === undefined || newest.recovered.at < now - dayMs) return undefined
  return newest.unsettled === undefined ? recoveredSentence(newest) : undecidedSentence(newest)
}

/** True if recovered during the last week with nothing left to decide, as reported by `status` and `doctor`. */
export function wasRecoveredRecently({ recovered, unsettled }: HistoryEntry): boolean {
  return recovered !== undefined && unsettled === undefined && recovered.at > Date.now() - 7 * dayMs
}

/** One sentence about a change that a crash interrupted and that was recovered. */
export function recoveredSentence({ title, changes, recovered }: HistoryEntry): string {
  const notes = new Set(changes.map(({ path }) => path)).size
  const outcome =
    recovered?.went === 'finished'
      ? `has been completed (${notes} ${notes === 1 ? 'file' : 'files'})`
      : 'has been undone'
  return `“${title}” was interrupted by a crash and ${outcome}.`
}

const fewNotes = 10

function someOf(notes: readonly string[]): string {
  const more = notes.length > fewNotes ? ` and ${notes.length - fewNotes} more` : ''
  return notes.slice(0, fewNotes).join(', ') + more
}
