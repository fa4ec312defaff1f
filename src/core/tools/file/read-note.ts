import * as z from 'zod'
import { Failure } from '../../errors.js'
import { visibleText } from '../../text/index.js'
import { decodeNote, type NoteEncoding, type NotePath, notePath } from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { findEach, givenNotes, leftOut, notesInput } from '../several-notes.js'
import { defineTool } from '../tool.js'
import type { ReadableVault, ToolContext } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'
import { findReadableFile } from './find-note.js'
import {
  checkSelection,
  countLines,
  type NoteSelection,
  partOfLargeFile,
  partOfNote,
  selectRange,
} from './note-parts.js'

const reading = z.object({
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

type Reading = z.output<typeof reading>

export const readNote = defineTool({
  name: 'read_note',
  title: 'Read note',
  description:
    'Read a note, or one section, block or range of lines; or several notes. Give paths from a search, or unique names. Returns for each a line with path, lines and part, then its text, in parts if it is long.',
  activity: 'Reading a note',
  category: 'file',
  effects: ['reads'],
  needsVault: true,
  inBrief: ['path', 'heading', 'part'],
  input: z.object({
    ...notesInput,
    heading: z.string().optional().describe('Its text, or "Parent#Child"'),
    block: z.string().optional().describe('E.g. ^a1b2c3'),
    lines: z.string().optional().describe('E.g. "10-20"'),
    part: z.coerce.number().min(1).optional(),
  }),
  example: { path: 'Garden/Tomatoes.md', heading: 'Blight' },
  // For one note its fields; for several a list of them.
  output: reading
    .partial()
    .extend({ notes: z.array(z.custom<Reading>()).optional(), missing: z.array(leftOut).optional() }),

  async reaches(input, context) {
    const { path, paths, part, ...selection } = input
    const given = givenNotes('read_note', input)
    const isOne = given.length === 1 && paths === undefined
    if (!isOne && (part !== undefined || Object.values(selection).some((way) => way !== undefined))) {
      throw validationFailure('read_note', 'paths: for a part of each, write "Note.md#Heading"')
    }
    if (isOne) {
      const meant = { ...input, ...linked(given[0]!) }
      checkSelection(meant)
      const found = await findReadableFile(meant.path, context)
      return { notes: [found], input: { ...meant, path: found } }
    }
    const places = new Map<NotePath, string>()
    const { found, missing } = await findEach(given, async (each) => {
      const { path: wanted, ...place } = linked(each)
      const file = await findReadableFile(wanted, context)
      places.set(file, `${file}${place.heading ? `#${place.heading}` : place.block ? `#^${place.block}` : ''}`)
      return file
    })
    return { notes: found, input: { paths: [...places.values(), ...missing.map((each) => each.path)] } }
  },

  async run(input, context) {
    const { path, paths, part: asked = 1, ...selection } = input
    const { room } = context
    if (paths === undefined) return readPart(path ?? '', { part: Math.floor(asked), room }, selection, context)
    const share = Math.floor((room ?? roomForSeveral) / paths.length)
    const notes: Reading[] = []
    const { missing } = await findEach(paths, async (each) => {
      const { path: exact, ...place } = linked(each)
      notes.push(await readPart(exact, { part: 1, room: share }, place, context))
      return notePath(exact)
    })
    return { notes, ...(missing.length > 0 && { missing }) }
  },

  render: ({ notes, missing = [], ...only }) =>
    notes === undefined
      ? rendered(only as Reading)
      : [...notes.map(rendered), ...missing.map(({ reason }) => reason)].join('\n\n'),
  notesIn: ({ path, notes = [] }) =>
    [...(path === undefined ? [] : [path]), ...notes.map((note) => note.path)].map((each) => notePath(each)),
  summary: ({ notes, lines, part = 1, parts = 1, hidden }) =>
    notes
      ? counted(notes.length, 'note')
      : [
          lines && counted(lines[1] - lines[0] + 1, 'line'),
          parts > 1 && `part ${part} of ${parts}`,
          hidden && counted(hidden, 'hidden character'),
        ]
          .filter(Boolean)
          .join(', ') || 'read',
})

/** Tokens that several notes share. */
const roomForSeveral = 16_000

const rendered = (read: Reading): string => `${header(read)}\n${read.content}`

/** Only an exact path is read: names were resolved when the call was planned. */
async function readPart(
  given: string,
  { part, room }: Omit<WantedPart, 'path'>,
  selection: NoteSelection,
  { vault }: Pick<ToolContext, 'vault'>,
): Promise<Reading> {
  const path = notePath(given)
  const wanted = { path, part, room }
  const read = (await readSmall(wanted, selection, vault)) ?? (await readLarge(wanted, selection, vault))
  if (read === undefined) throw new Failure('not-found', `Note not found: ${shortText(given)}`)
  return read
}

/** Models also write a path as a link, or with `#`, with the heading or block in it. */
function linked(path: string): { path: string } & NoteSelection {
  if (path.trim() === '') throw new Failure('not-found', 'Note not found: no path was given.')
  const link =
    /^\[\[([^[\]|#]*)(?:#(\^)?([^[\]|]*))?(?:\|[^[\]]*)?\]\]$/.exec(path.trim()) ??
    /^(.+\.md)#(\^)?(.+)$/i.exec(path.trim())
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
