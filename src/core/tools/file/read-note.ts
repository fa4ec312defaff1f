import * as z from 'zod'
import { Failure } from '../../errors.js'
import { visibleText } from '../../text/index.js'
import { decodeNote, type NoteEncoding, type NotePath, notePath } from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ReadableVault } from '../tool-context.js'
import { findReadableFile } from './find-note.js'
import {
  checkSelection,
  countLines,
  type NoteSelection,
  partOfLargeFile,
  partOfNote,
  selectRange,
} from './note-parts.js'

const output = z.object({
  path: z.string(),
  content: z.string(),
  lines: z.tuple([z.number(), z.number()]).optional().describe('Absent in a file too large to count them'),
  total_lines: z.number().optional(),
  part: z.number(),
  parts: z.number(),
  size: z.number().describe('Bytes of the whole file'),
  not_utf8: z.literal(true).optional(),
  hidden: z.number().optional().describe('Invisible characters, shown as ⟦U+…⟧'),
})

type Reading = z.output<typeof output>

export const readNote = defineTool({
  name: 'read_note',
  title: 'Read note',
  description:
    'Read a note, or one section, block or range of lines. Use the path from a search; a unique name also works. Returns one line with path, lines and part, then the text, in parts if the note is long.',
  activity: 'Reading a note',
  category: 'file',
  effects: ['reads'],
  needsVault: true,
  inBrief: ['path', 'heading', 'part'],
  input: z.object({
    path: z.string(),
    heading: z.string().optional().describe('Heading text, or "Parent#Child"'),
    block: z.string().optional().describe('Block id, e.g. ^a1b2c3'),
    lines: z.string().optional().describe('e.g. "10-20"'),
    part: z.coerce.number().min(1).optional().describe('Part of a long note, from 1'),
  }),
  example: { path: 'Garden/Tomatoes.md', heading: 'Blight' },
  output,

  async reaches(input, context) {
    const meant = { ...input, ...linked(input.path) }
    checkSelection(meant)
    const path = await findReadableFile(meant.path, context)
    return { notes: [path], input: { ...meant, path } }
  },

  async run({ path: given, part: asked = 1, ...selection }, { vault, room }) {
    const path = notePath(given)
    const part = Math.floor(asked)
    const read =
      (await readSmall({ path, part, room }, selection, vault)) ??
      (await readLarge({ path, part, room }, selection, vault))
    if (read === undefined) throw new Failure('not-found', `Note not found: ${path}`)
    return read
  },

  render: (read) => `${header(read)}\n${read.content}`,
  notesIn: ({ path }) => [notePath(path)],
  summary: ({ lines, part, parts, hidden }) =>
    [
      lines && counted(lines[1] - lines[0] + 1, 'line'),
      parts > 1 && `part ${part} of ${parts}`,
      hidden && counted(hidden, 'hidden character'),
    ]
      .filter(Boolean)
      .join(', ') || 'read',
})

/** Models also write a path as a link, with the heading or block in it. */
function linked(path: string): { path: string } & NoteSelection {
  if (path.trim() === '') throw new Failure('not-found', 'Note not found: no path was given.')
  const link = /^\[\[([^[\]|#]*)(?:#(\^)?([^[\]|]*))?(?:\|[^[\]]*)?\]\]$/.exec(path.trim())
  if (link === null) return { path }
  const [, name = '', isBlock, place] = link
  if (name.trim() === '') throw new Failure('not-found', `Note not found: ${shortText(path)}`)
  return { path: name.trim(), ...(place && (isBlock ? { block: place } : { heading: place })) }
}

interface WantedPart {
  path: NotePath
  part: number
  /** Tokens it may take. */
  room?: number | undefined
}

/** undefined when the note is not there, or too large to be read at once. */
async function readSmall(
  { path, part, room }: WantedPart,
  selection: NoteSelection,
  vault: ReadableVault,
): Promise<Reading | undefined> {
  try {
    const file = await vault.read(path)
    if (file === undefined) return undefined
    const piece = partOfNote(path, file.text, selectRange(path, file.text, selection), part, room)
    return {
      path: file.path,
      ...shown(file.text.slice(piece.start, piece.end), file.encoding),
      lines: piece.lines,
      total_lines: countLines(file.text),
      part,
      parts: piece.parts,
      size: file.size,
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'too-large') return undefined
    throw error
  }
}

async function readLarge(
  { path, part, room }: WantedPart,
  selection: NoteSelection,
  vault: ReadableVault,
): Promise<Reading | undefined> {
  const large = await partOfLargeFile(path, part, vault, room)
  if (large === undefined) return undefined
  if (Object.values(selection).some((way) => way !== undefined)) {
    throw new Failure('too-large', `${path} is too large to read by heading, block or lines.`, {
      hint: `Use part, from 1 to ${large.parts}.`,
    })
  }
  const { text, encoding } = decodeNote(large.bytes)
  return { path, ...shown(text, encoding), part, parts: large.parts, size: large.size }
}

function shown(text: string, encoding: NoteEncoding): Pick<Reading, 'content' | 'hidden' | 'not_utf8'> {
  const { text: content, hidden } = visibleText(text)
  return { content, ...(hidden > 0 && { hidden }), ...(encoding === 'invalid' && { not_utf8: true }) }
}

function header({ path, lines, total_lines, part, parts, size, hidden, not_utf8 }: Reading): string {
  const facts = [
    shortText(path, 1000),
    size === 0 ? 'empty' : lines === undefined ? counted(size, 'byte') : lineRange(lines, total_lines),
    ...(parts > 1 ? [`part ${part} of ${parts}`] : []),
  ]
  const notices = [
    part < parts && `Continue with part ${part + 1}.`,
    not_utf8 && 'Not valid UTF-8: unreadable bytes are shown as U+FFFD.',
    hidden && `${counted(hidden, 'hidden character')} shown as ⟦U+…⟧.`,
  ].filter(Boolean)
  return `[${facts.join(', ')}]${notices.map((notice) => ` ${notice}`).join('')}`
}

function lineRange([first, last]: [number, number], total: number | undefined): string {
  return first === last ? `line ${first} of ${total}` : `lines ${first}-${last} of ${total}`
}
