import * as z from 'zod'
import { type Canvas, canvasChanges, readCanvas } from '../../canvas.js'
import { Failure } from '../../errors.js'
import { changeSet, isNote, mustBeUtf8, newNotePath, notePath } from '../../vault/index.js'
import { loadBases } from '../search/query-page.js'
import { defineTool, type Notice } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { textNotices } from './executable-blocks.js'
import { isBase, isCanvas, requireFreePath, writablePath } from './find-note.js'
import { checkText, withFormatOf } from './written-text.js'

export const writeNote = defineTool({
  name: 'write_note',
  title: 'Write note',
  description:
    'Create a note, or overwrite a whole note. To change part of a note, use edit_note or append_note. Returns the path.',
  activity: 'Writing a note',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  input: z.object({
    path: z.string().describe('Ends with .md, .canvas for a JSON Canvas, or .base for a base'),
    content: z.string().describe('The whole text, with frontmatter; of a canvas, its JSON; of a base, its YAML'),
  }),
  example: { path: 'Inbox/Peas.md', content: '# Peas\n\nSow in March.\n' },
  output: z.object({ path: z.string(), created: z.boolean(), changed: z.boolean() }),

  async plan({ path: wanted, content }, { vault, session }) {
    const path = writablePath(wanted)
    checkText('content', content)
    if (isBase(path)) (await loadBases()).parseBase(content)
    // Another spelling of the same name is the same note, so the existing one decides.
    const file = await vault.read(path)
    if (file === undefined) {
      newNotePath(path)
      await requireFreePath(path, { vault })
      return {
        changes: changeSet(`Create ${path}`, [{ kind: 'create', path, after: encoded(content) }], { session }),
        output: { path, created: true, changed: true },
        effects: ['writes'],
        notices: await noticesOf(path, undefined, content),
      }
    }
    mustBeUtf8(file)
    const text = withFormatOf(file.text, content)
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

  // A new note is placed in folders as the disk spells them.
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

/** Notices for the user about a canvas. Throws if the text is no canvas or shows files that do not exist. */
async function canvasNotices(
  path: string,
  before: string | undefined,
  after: string,
  { vault }: Pick<ToolContext, 'vault'>,
): Promise<Notice[]> {
  const canvas = readCanvas(after)
  for (const { type, about } of canvas.nodes) {
    if (type === 'file' && !(await fileExists(about, vault))) {
      throw new Failure('not-found', `This canvas shows ${about}, which does not exist.`, {
        hint: 'Use paths as the tools return them, or a text card.',
      })
    }
  }
  const changes = canvasChanges(readCanvasOrEmpty(before), canvas).slice(0, mostCanvasLines)
  return changes.map((text) => ({ kind: 'other' as const, text: `${path}: ${text}.` }))
}

const mostCanvasLines = 40

/** An unreadable canvas is replaced as a whole, which its diff shows. */
function readCanvasOrEmpty(text: string | undefined): Canvas {
  try {
    return readCanvas(text ?? '')
  } catch {
    return { nodes: [], edges: [] }
  }
}

async function fileExists(file: string, vault: ToolContext['vault']): Promise<boolean> {
  try {
    const path = notePath(file)
    // A hidden note has a stamp like others; no part of it can be read.
    const found = isNote(path) ? vault.readPart(path, { from: 0, bytes: 0 }) : vault.stat(path)
    return (await found) !== undefined
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
