import { type ChangeSet, type HistoryEntry, type JournaledVault, notePath, type Settle } from '../vault/index.js'
import type { Notebook } from './notebook.js'

export async function history(
  vault: JournaledVault,
  { session, note, limit }: NonNullable<Parameters<Notebook['history']>[0]> = {},
): Promise<HistoryEntry[]> {
  const touches = ({ changes }: HistoryEntry) => changes.some(({ path, to }) => path === note || to === note)
  // Nobody knows what a damaged row was about: it may be what is being looked for.
  const entries = (await vault.history()).filter(
    (entry) =>
      entry.state === 'damaged' ||
      ((session === undefined || entry.session === session) && (note === undefined || touches(entry))),
  )
  return entries.slice(0, limit)
}

export function planUndo(
  vault: JournaledVault,
  { id, session, note }: Parameters<Notebook['planUndo']>[0],
  settle?: Settle,
): Promise<ChangeSet> {
  if (note !== undefined) return vault.planUndo({ note: notePath(note) }, settle)
  return vault.planUndo(session === undefined ? { id: id ?? '' } : { session }, settle)
}
