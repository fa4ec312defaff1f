import * as z from 'zod'
import { Failure } from '../../errors.js'
import { type Change, changeSet, type NoteFile } from '../../vault/index.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { findNoteToEdit } from './find-note.js'
import { findSection } from './note-parts.js'
import { checkText, textToAppend } from './written-text.js'

export const appendNote = defineTool({
  name: 'append_note',
  title: 'Append to note',
  description: 'Add text to the end of a note, or of the section under one of its headings.',
  activity: 'Adding to a note',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    path: z.string(),
    content: z.string().describe('Starts on a new line'),
    heading: z.string().optional().describe('Heading text, or "Parent#Child"'),
  }),
  example: { path: 'Garden/Tomatoes.md', content: 'None this year.', heading: 'Blight' },
  output: z.object({ path: z.string(), heading: z.string().optional() }),

  async plan({ path: wanted, content, heading }, context) {
    if (checkText('content', content) === '') {
      throw validationFailure('append_note', 'content: empty')
    }
    const file = await noteToAppendTo(wanted, context)
    const { change, text, under } =
      heading === undefined ? appendAtEnd(file, content) : appendBelow(heading, file, content)
    const { session } = context
    const output = { path: file.path, ...(under !== undefined && { heading: under }) }
    return {
      changes: changeSet(`Append to ${file.path}${under === undefined ? '' : ` under ${under}`}`, [change], {
        session,
      }),
      output,
      inPart: () => output,
      notices: textNotices(file.path, file.text, text),
    }
  },

  render: ({ path, heading }) => `Text added to ${path}${heading === undefined ? '' : ` under ${heading}`}`,
  summary: ({ path }) => `added to ${path}`,
})

interface PlannedAppend {
  change: Change
  /** The note as it will be. */
  text: string
  under?: string
}

/** A wrong path must not create a new note that is never found. */
async function noteToAppendTo(wanted: string, context: ToolContext): Promise<NoteFile> {
  try {
    return await findNoteToEdit(wanted, context)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    throw new Failure(error.code, error.message, {
      modelHint: 'Find its path with search_notes, or create it with write_note.',
      tools: ['search_notes', 'write_note'],
      data: error.details.data,
    })
  }
}

/** Bound to the bytes it adds alone, so that appends made at the same time all land. */
function appendAtEnd({ path, text }: NoteFile, content: string): PlannedAppend {
  const added = textToAppend(text, content)
  return { change: { kind: 'append', path, added: new TextEncoder().encode(added) }, text: text + added }
}

function appendBelow(wanted: string, { path, text, hash }: NoteFile, content: string): PlannedAppend {
  const { heading, lastText } = findSection(path, text, wanted)
  const start = text.slice(0, lastText)
  const after = start + textToAppend(start, content) + text.slice(lastText)
  return {
    change: { kind: 'edit', path, before: hash, after: new TextEncoder().encode(after) },
    text: after,
    under: heading.text,
  }
}
