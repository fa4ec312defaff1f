import * as z from 'zod'
import { changeSet, mustBeUtf8, newNotePath } from '../../vault/index.js'
import { defineTool, type Notice } from '../tool.js'
import { canvasNotices } from './canvas-plan.js'
import { isCanvas, mustBeFree, writablePath } from './note-to-change.js'
import { textNotices } from './text-notices.js'
import { inMannerOf, writtenText } from './written-text.js'

export const writeNote = defineTool({
  name: 'write_note',
  title: 'Write note',
  description:
    'Create a note, or overwrite a whole one. Use edit_note or append_note to change part of a note. Returns the path written.',
  activity: 'Writing a note',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  input: z.object({
    path: z.string().describe('Vault-relative, ends with .md, or .canvas for a JSON Canvas'),
    content: z.string().describe('Whole note in Markdown, with frontmatter if any; whole canvas as JSON'),
  }),
  example: { path: 'Inbox/Peas.md', content: '# Peas\n\nSow in March.\n' },
  output: z.object({ path: z.string(), created: z.boolean(), changed: z.boolean() }),

  async plan({ path: wanted, content }, { vault, session }) {
    const path = writablePath(wanted)
    writtenText('content', content)
    // Another spelling of the same name is the same note, so what is there decides.
    const file = await vault.read(path)
    if (file === undefined) {
      newNotePath(path)
      await mustBeFree(path, { vault })
      return {
        changes: changeSet(`Create ${path}`, [{ kind: 'create', path, after: encoded(content) }], { session }),
        output: { path, created: true, changed: true },
        effects: ['writes'],
        notices: await noticesOf(path, undefined, content),
      }
    }
    mustBeUtf8(file)
    const text = inMannerOf(file.text, content)
    const changed = text !== file.text
    const output = { path: file.path, created: false, changed }
    if (!changed) return { changes: changeSet(`Leave ${file.path} as it is`, [], { session }), output, effects: [] }
    const size = `${file.size} byte${file.size === 1 ? '' : 's'}`
    return {
      changes: changeSet(
        `Overwrite ${file.path}`,
        [{ kind: 'edit', path: file.path, before: file.hash, after: encoded(text) }],
        { session },
      ),
      output,
      inPart: () => output,
      effects: ['writes', 'destroys'],
      notices: [
        { kind: 'overwrite', text: `Replaces everything in ${file.path} (${size}).` },
        ...(await noticesOf(file.path, file.text, text)),
      ],
    }

    async function noticesOf(place: string, before: string | undefined, after: string): Promise<Notice[]> {
      const text = textNotices(place, before ?? '', after)
      return isCanvas(place) ? [...text, ...(await canvasNotices(place, before, after, { vault }))] : text
    }
  },

  // A new note lies in folders as the disk spells them.
  render: ({ path, created, changed }, applied) => {
    const place = applied?.changes[0]?.path ?? path
    if (!changed) return `${place} already has exactly this content. Nothing was changed.`
    return created ? `Note created successfully: ${place}` : `Note overwritten successfully: ${place}`
  },
  summary: ({ path, created, changed }) => `${changed ? (created ? 'created' : 'overwrote') : 'left'} ${path}`,
})

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
