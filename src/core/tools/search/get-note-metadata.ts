import * as z from 'zod'
import { Failure } from '../../errors.js'
import { displayProperties } from '../../markdown/index.js'
import { visibleText } from '../../text/index.js'
import { type NotePath, notePath } from '../../vault/index.js'
import { counted, jsonText, localTime, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ReadableVault } from '../tool-context.js'

export const getNoteMetadata = defineTool({
  name: 'get_note_metadata',
  title: 'Get note metadata',
  description:
    'Describe a note without its text: title, tags, aliases, frontmatter properties, headings with lines, times, size in bytes, and the number of links from and to it. Use it to decide what to read.',
  activity: 'Inspecting a note',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: z.object({ path: z.string() }),
  example: { path: 'Garden/Tomatoes.md' },
  output: z.object({
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
  }),

  async reaches(input, { index }) {
    const { path } = await index.find(input.path)
    return { notes: [path], input: { path } }
  },

  async run({ path }, { index, vault, clock }) {
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
  },

  render: (found) => jsonText(found),
  notesIn: ({ path }) => [notePath(path)],
  summary: ({ size, links }) => `${counted(size, 'byte')}, ${counted(links, 'link')}`,
})

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
