import * as z from 'zod'
import { changeSet, type NotePath } from '../../vault/index.js'
import { defineTool, type Notice } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { findNoteOfAnySize } from './find-note.js'

export const deleteNote = defineTool({
  name: 'delete_note',
  title: 'Delete note',
  description: "Move a note to trash, according to Obsidian's settings. The user can undo it.",
  activity: 'Deleting a note',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  input: z.object({ path: z.string() }),
  example: { path: 'Inbox/A Thought about Benches.md' },
  output: z.object({ path: z.string() }),

  async plan({ path: wanted }, context) {
    const { path, hash } = await findNoteOfAnySize(wanted, context)
    return {
      changes: changeSet(`Delete ${path}`, [{ kind: 'trash', path, before: hash }], { session: context.session }),
      output: { path },
      notices: await danglingLinks(path, context),
    }
  },

  render: ({ path }) => `Note deleted: ${path}. It can be restored with undo.`,
  summary: ({ path }) => `deleted ${path}`,
})

async function danglingLinks(path: NotePath, { index }: ToolContext): Promise<Notice[]> {
  const links = (await index.linksTo(path)).filter(({ source }) => source !== path)
  if (links.length === 0) return []
  const sources = [...new Set(links.map(({ source }) => source))].sort()
  const named = sources.slice(0, 10).join(', ')
  const more = sources.length > 10 ? ` and ${sources.length - 10} more notes` : ''
  const count = links.length === 1 ? '1 link' : `${links.length} links`
  return [{ kind: 'links', text: `${count} to this note will be unresolved, in ${named}${more}.` }]
}
