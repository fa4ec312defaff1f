import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import type { Notebook } from '../../../core/notebook/index.js'
import { defineTool, type Tool, type ToolContext } from '../../../core/tools/index.js'
import type { HistoryEntry } from '../../../core/vault/index.js'

const usual = 10
const most = 100

/** The name of a new session of a client. All sessions of one client begin alike. */
export const sessionName = (client: string): string => `mcp-${client}-${crypto.randomUUID().slice(0, 8)}`

/** What a client can ask of its own changes. Off for every other front end: they undo whatever the person wants. */
export const changeTools = (notebook: Notebook): Tool[] => [undoLastChange(notebook), listChanges(notebook)]

function undoLastChange(notebook: Notebook): Tool {
  return defineTool({
    name: 'undo_last_change',
    title: 'Undo last change',
    description:
      'Take back the newest change that you made to the notes. Call it again to go further back. Later edits by others stay.',
    activity: 'Taking a change back',
    category: 'file',
    effects: ['writes', 'destroys'],
    offByDefault: true,
    needsVault: true,
    input: z.object({}),
    example: {},
    output: z.object({ undone: z.string(), paths: z.array(z.string()) }),

    async plan(_, context) {
      const entries = await ownChanges(notebook, context)
      const last = entries.find(
        ({ state, undoes }) => (state === 'applied' || state === 'partly-undone') && undoes.length === 0,
      )
      if (last === undefined) throw new Failure('not-found', 'There is no change of yours to take back.')
      const changes = { ...(await notebook.planUndo({ id: last.id })), session: context.session }
      const destroys = changes.changes.some(({ kind }) => kind === 'trash' || kind === 'move')
      return {
        changes,
        output: { undone: last.title, paths: pathsOf(last) },
        effects: destroys ? ['writes', 'destroys'] : ['writes'],
      }
    },
    render: ({ undone }) => `Taken back: ${undone}`,
    summary: ({ undone }) => `taken back: ${undone}`,
  })
}

function listChanges(notebook: Notebook): Tool {
  return defineTool({
    name: 'list_changes',
    title: 'List changes',
    description: 'List the changes you made to the notes, newest first. Returns title, time, state and paths of each.',
    activity: 'Listing changes',
    category: 'file',
    effects: ['reads'],
    offByDefault: true,
    needsVault: true,
    varies: true,
    input: z.object({ limit: z.number().int().min(1).max(most).optional().describe(`Default ${usual}`) }),
    example: { limit: 5 },
    output: z.object({
      changes: z.array(
        z.object({ title: z.string(), time: z.string(), state: z.string(), paths: z.array(z.string()) }),
      ),
    }),

    async run({ limit = usual }, context) {
      const entries = await ownChanges(notebook, context)
      const changes = entries.slice(0, limit).map((entry) => ({
        title: entry.title,
        time: new Date(entry.time).toISOString(),
        state: entry.state,
        paths: pathsOf(entry).slice(0, 20),
      }))
      return { changes }
    },
    render: ({ changes }) =>
      changes.length === 0
        ? 'You have not changed anything in this vault.'
        : changes.map(({ time, title, state }) => `${time} ${title} (${state})`).join('\n'),
    summary: ({ changes }) => `${changes.length} changes`,
  })
}

/** Newest first, without those of notes that are hidden by now. */
async function ownChanges(notebook: Notebook, { session, vault }: ToolContext): Promise<HistoryEntry[]> {
  const client = session.slice(0, session.lastIndexOf('-') + 1)
  const entries = (await notebook.history()).filter((entry) => entry.session?.startsWith(client))
  const seen: HistoryEntry[] = []
  for (const entry of entries.slice(0, 10 * most)) {
    const closed = await Promise.all(entry.changes.flatMap(({ path, to }) => [path, to ?? path]).map(vault.isClosed))
    if (!closed.includes(true)) seen.push(entry)
  }
  return seen
}

const pathsOf = ({ changes }: HistoryEntry): string[] => [...new Set(changes.map(({ path, to }) => to ?? path))]
