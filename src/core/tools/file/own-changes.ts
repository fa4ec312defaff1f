import { Failure } from '../../errors.js'
import type { HistoryEntry } from '../../vault/index.js'
import type { ToolContext } from '../tool-context.js'

/** Entries of the journal that are looked at. */
const mostEntries = 1000

/**
 * The changes of this conversation, newest first, without those of notes that are hidden now. All sessions of one MCP
 * client are one conversation: it cannot know when a session of ours begins.
 */
export async function ownChanges({ session, vault, changes }: ToolContext): Promise<HistoryEntry[]> {
  if (changes === undefined) throw new Failure('not-found', 'Changes cannot be undone here.')
  const owner = clientOf(session) ?? session
  const entries = (await changes.history()).filter((entry) => (clientOf(entry.session) ?? entry.session) === owner)
  const visible: HistoryEntry[] = []
  for (const entry of entries.slice(0, mostEntries)) {
    const closed = await Promise.all(entry.changes.flatMap(({ path, to }) => [path, to ?? path]).map(vault.isClosed))
    if (!closed.includes(true)) visible.push(entry)
  }
  return visible
}

/** The client of an MCP session (`mcp-CLIENT-1234abcd`); undefined for a session of another front end. */
const clientOf = (session = ''): string | undefined => /^mcp-(.+)-[0-9a-f]{8}$/.exec(session)?.[1]

/** True if there is something of it to undo, and it is no undo itself. */
export const isUndoCandidate = ({ state, undoes }: HistoryEntry): boolean =>
  (state === 'applied' || state === 'partly-undone') && undoes.length === 0

/** Where the notes of a change are now. */
export const changedPaths = ({ changes }: Pick<HistoryEntry, 'changes'>): string[] => [
  ...new Set(changes.map(({ path, to }) => to ?? path)),
]
