import * as z from 'zod'
import { Failure } from '../../errors.js'
import { displayProperties } from '../../markdown/index.js'
import { visibleText } from '../../text/index.js'
import { type NotePath, notePath } from '../../vault/index.js'
import { counted, jsonText, localTime, shortText } from '../result-format.js'
import { findEach, givenNotes, leftOut, notesInput } from '../several-notes.js'
import { defineTool } from '../tool.js'
import type { ReadableVault, ToolContext } from '../tool-context.js'

const described = z.object({
  path: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  aliases: z.array(z.string()),
  properties: z.record(z.string(), z.unknown()).nullable(),
  frontmatter_error: z.string().optional(),
  headings: z.array(z.object({ level: z.number(), text: z.string(), line: z.number() })),
  created: z.string().nullable(),
  modified: z.string().nullable(),
  size: z.number(),
  links: z.number(),
  backlinks: z.number(),
  left_out: z.record(z.string(), z.number()).optional().describe('How many of a long list are not shown'),
})

export const getNoteMetadata = defineTool({
  name: 'get_note_metadata',
  title: 'Get note metadata',
  description:
    'Describe a note, or several, without their text: title, tags, aliases, frontmatter properties, headings with lines, times, size in bytes, and the number of links from and to it. Use it to decide what to read.',
  activity: 'Inspecting a note',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  inBrief: ['path'],
  input: z.object(notesInput),
  example: { path: 'Garden/Tomatoes.md' },
  // For one note its fields; for several a list of them.
  output: described.partial().extend({
    notes: z.array(z.custom<z.output<typeof described>>()).optional(),
    missing: z.array(leftOut).optional(),
  }),

  async reaches(input, { index }) {
    const given = givenNotes('get_note_metadata', input)
    const { found, missing } = await findEach(given, async (name) => (await index.find(name)).path)
    const [only] = found
    if (only !== undefined && found.length === 1 && missing.length === 0) return { notes: found, input: { path: only } }
    return { notes: found, input: { paths: [...found, ...missing.map(({ path }) => path)] } }
  },

  async run(input, context) {
    const given = givenNotes('get_note_metadata', input)
    const { found, missing } = await findEach(given, async (name) => (await context.index.find(name)).path)
    const notes = []
    for (const path of found) {
      context.signal.throwIfAborted()
      notes.push(await describeNote(path, context))
    }
    if (input.paths === undefined) return { ...notes[0] }
    return { notes, ...(missing.length > 0 && { missing }) }
  },

  render: ({ notes, missing, ...only }) =>
    notes === undefined
      ? jsonText(only)
      : [...notes.map((note) => jsonText(withoutEmpty(note))), ...(missing ?? []).map(({ reason }) => reason)].join(
          '\n',
        ),
  notesIn: ({ path, notes = [] }) =>
    [...(path === undefined ? [] : [path]), ...notes.map((note) => note.path)].map(notePath),
  summary: ({ notes, size = 0, links = 0 }) =>
    notes ? counted(notes.length, 'note') : `${counted(size, 'byte')}, ${counted(links, 'link')}`,
})

const withoutEmpty = (note: object): object =>
  Object.fromEntries(
    Object.entries(note).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )

async function describeNote(
  path: NotePath,
  { index, vault, clock }: Pick<ToolContext, 'index' | 'vault' | 'clock'>,
): Promise<z.output<typeof described>> {
  const note = await index.find(path)
  // The index has numbers; the displayed value is the text in the note.
  const text = (await readWhole(vault, note.path))?.text
  const properties = text === undefined ? note.properties : (displayProperties(text) ?? note.properties)
  const [links, backlinks] = [await index.linksFrom(note.path), await index.linksTo(note.path)]
  const leftOut: Record<string, number> = {}
  const few = <T>(name: string, items: readonly T[]): T[] => boundedList(name, items, leftOut)
  const short = (text: string) => shortText(text)
  return {
    path: note.path,
    title: shortText(note.title),
    tags: few('tags', note.tags).map(short),
    aliases: few('aliases', note.aliases).map(short),
    properties: boundedProperties(properties, leftOut),
    ...(note.frontmatterError !== undefined && { frontmatter_error: shortText(note.frontmatterError) }),
    headings: few('headings', note.headings).map(({ level, text, line }) => ({ level, text: shortText(text), line })),
    created: localTime(note.createdMs, clock.timeZone),
    modified: localTime(note.mtimeMs, clock.timeZone),
    size: note.size,
    links: links.length,
    backlinks: backlinks.length,
    ...(Object.keys(leftOut).length > 0 && { left_out: leftOut }),
  }
}

async function readWhole(vault: ReadableVault, path: NotePath) {
  try {
    return await vault.read(path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

const mostItems = 100
const mostCharacters = 8000

/** The first hundred of a list; how many more there are is written into `leftOut`. */
function boundedList<T>(name: string, items: readonly T[], leftOut: Record<string, number>): T[] {
  if (items.length > mostItems) leftOut[name] = items.length - mostItems
  return items.slice(0, mostItems)
}

/** A note's properties as long as they are of a sensible size; how many are left out is written into `leftOut`. */
function boundedProperties(
  properties: Record<string, unknown> | null,
  leftOut: Record<string, number>,
): Record<string, unknown> | null {
  if (properties === null) return null
  let room = mostCharacters
  let dropped = 0
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(properties)) {
    const text = visibleText(JSON.stringify(value) ?? 'null').text
    room -= name.length + text.length
    if (room >= 0) kept.push([shortText(name), visible(value)])
    else {
      dropped++
      room += name.length + text.length
    }
  }
  if (dropped > 0) leftOut.properties = dropped
  return Object.fromEntries(kept)
}

function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value).text
  if (Array.isArray(value)) return value.map(visible)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visibleText(name).text, visible(inner)]))
}
