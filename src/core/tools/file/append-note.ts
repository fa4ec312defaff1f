import * as z from 'zod'
import { Failure } from '../../errors.js'
import { type Change, changeSet, type NoteFile } from '../../vault/index.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { findSection } from './find-section.js'
import { noteToChange } from './note-to-change.js'
import { textNotices } from './text-notices.js'
import { addition, writtenText } from './written-text.js'

export const appendNote = defineTool({
  name: 'append_note',
  title: 'Append to note',
  description: 'Add text to the end of a note, or to the end of the section under one of its headings.',
  activity: 'Adding to a note',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    path: z.string(),
    content: z.string().describe('Starts on a new line; begin with an empty line for a new paragraph'),
    heading: z.string().optional().describe('Heading text, or "Parent#Child"'),
  }),
  example: { path: 'Garden/Tomatoes.md', content: 'None this year.', heading: 'Blight' },
  output: z.object({ path: z.string(), heading: z.string().optional() }),

  async plan({ path: wanted, content, heading }, context) {
    if (writtenText('content', content) === '') {
      throw new Failure('invalid-input', 'Tool append_note validation failed: content: empty')
    }
    const file = await noteToAppendTo(wanted, context)
    const { change, text, under } = heading === undefined ? atEnd(file, content) : below(heading, file, content)
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

interface Appending {
  change: Change
  /** The note as it will be. */
  text: string
  under?: string
}

/** A wrong path must not become a new note that nobody looks for. */
async function noteToAppendTo(wanted: string, context: ToolContext): Promise<NoteFile> {
  try {
    return await noteToChange(wanted, context)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    throw new Failure(error.code, error.message, {
      hint: 'Find its path with search_notes, or create it with write_note.',
      data: error.details.data,
    })
  }
}

/** Bound to the bytes it adds alone, so that appends made at the same time all land. */
function atEnd({ path, text }: NoteFile, content: string): Appending {
  const added = addition(text, content)
  return { change: { kind: 'append', path, added: new TextEncoder().encode(added) }, text: text + added }
}

function below(wanted: string, { path, text, hash }: NoteFile, content: string): Appending {
  const { heading, lastText } = findSection(path, text, wanted)
  const start = text.slice(0, lastText)
  const after = start + addition(start, content) + text.slice(lastText)
  return {
    change: { kind: 'edit', path, before: hash, after: new TextEncoder().encode(after) },
    text: after,
    under: heading.text,
  }
}
