import * as z from 'zod'
import { Failure } from '../../errors.js'
import { writtenProperties } from '../../markdown/index.js'
import { type NotePath, notePath } from '../../vault/index.js'
import { counted, jsonText, localTime, shortText } from '../answer/index.js'
import { defineTool } from '../tool.js'
import type { ReadableVault } from '../tool-context.js'
import { boundedList, boundedProperties } from './bounded.js'

export const getNoteMetadata = defineTool({
  name: 'get_note_metadata',
  title: 'Get note metadata',
  description:
    'Describe a note without its text: title, tags, aliases, frontmatter properties, headings with lines, times, size in bytes, and how many links it holds and gets. Use it to decide what to read.',
  activity: 'Looking at a note',
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
    // The index has numbers; what is shown is what stands in the note.
    const text = (await readWhole(vault, note.path))?.text
    const properties = text === undefined ? note.properties : (writtenProperties(text) ?? note.properties)
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
