import * as z from 'zod'
import { changeSet, type NotePath } from '../../vault/index.js'
import { defineTool, type Notice } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { findNoteOfAnySize } from './note-to-change.js'

export const deleteNote = defineTool({
  name: 'delete_note',
  title: 'Delete note',
  description: 'Delete a note: it goes to the trash as Obsidian is set up, and can be undone.',
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

  render: ({ path }) => `Note deleted: ${path}. It can be brought back with undo.`,
  summary: ({ path }) => `deleted ${path}`,
})

async function danglingLinks(path: NotePath, { index }: ToolContext): Promise<Notice[]> {
  const links = (await index.linksTo(path)).filter(({ source }) => source !== path)
  if (links.length === 0) return []
  const sources = [...new Set(links.map(({ source }) => source))].sort()
  const named = sources.slice(0, 10).join(', ')
  const more = sources.length > 10 ? ` and ${sources.length - 10} more notes` : ''
  const count = links.length === 1 ? '1 link to it will lead' : `${links.length} links to it will lead`
  return [{ kind: 'links', text: `${count} nowhere: in ${named}${more}.` }]
}
