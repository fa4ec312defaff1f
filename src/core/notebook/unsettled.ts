import type { HistoryEntry, JournaledVault } from '../vault/index.js'

/** Change sets that were cut off and are not whole yet: those that wait for a decision, and those still to be mended. */
export async function unsettled(vault: JournaledVault): Promise<HistoryEntry[]> {
  return (await vault.history()).filter(({ state }) => state === 'undecided' || state === 'unfinished')
}

const onTheCommandLine = 'Decide with: notewright settle'

/** One sentence for the person: what happened to which notes, and how to decide. */
export function unsettledSentence(
  { title, changes, unsettled }: HistoryEntry,
  howToDecide: string = onTheCommandLine,
): string {
  if (unsettled === undefined) {
    const notes = [...new Set(changes.map(({ path }) => path))]
    return `“${title}” was cut off and is not mended yet (${someOf(notes)}). The next start or change tries again.`
  }
  const { went, notes } = unsettled
  const how = went === 'finished' ? 'finished' : 'taken back'
  return `“${title}” was cut off and then ${how}, but someone else had changed ${someOf(notes)}, left as it is. ${howToDecide}`
}

const fewNotes = 10

function someOf(notes: readonly string[]): string {
  const more = notes.length > fewNotes ? ` and ${notes.length - fewNotes} more` : ''
  return notes.slice(0, fewNotes).join(', ') + more
}
