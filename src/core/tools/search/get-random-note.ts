import * as z from 'zod'
import { Failure } from '../../errors.js'
import { findFrontmatter } from '../../markdown/index.js'
import { visibleText } from '../../text/index.js'
import { type NotePath, notePath } from '../../vault/index.js'
import { cutText, folderPath, jsonText, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ReadableVault } from '../tool-context.js'

// `!` is used on a note below the count, and on an array of one number.

export const getRandomNote = defineTool({
  name: 'get_random_note',
  title: 'Get a random note',
  description:
    'Pick a random note, from a folder or with a tag if given. Returns path, title, tags and the beginning of the note.',
  activity: 'Picking a note',
  category: 'search',
  effects: ['reads'],
  onRequest: 'random',
  needsVault: true,
  input: z.object({ folder: z.string().optional(), tag: z.string().optional() }),
  example: { folder: 'Garden' },
  output: z.object({ path: z.string(), title: z.string(), tags: z.array(z.string()), preview: z.string() }),

  async run({ folder, tag }, { index, vault }) {
    const tags = tag === undefined ? [] : [tag]
    const notes = await index.notes({ folder: await folderPath(folder, index), ...(tags.length > 0 && { tags }) })
    if (notes.length === 0) throw nothingThere(folder, tag)
    const note = notes[randomBelow(notes.length)]!
    return {
      path: note.path,
      title: shortText(note.title),
      tags: note.tags.slice(0, 20).map((name) => shortText(name, 100)),
      preview: await beginning(note.path, vault),
    }
  },

  render: (found) => jsonText(found),
  notesIn: ({ path }) => [notePath(path)],
  summary: ({ path }) => shortText(path),
})

function nothingThere(folder: string | undefined, tag: string | undefined): Failure {
  const where = [folder && ` in ${shortText(folder)}`, tag && ` with the tag ${shortText(tag)}`].filter(Boolean)
  return new Failure('not-found', `There are no notes${where.join('')}.`)
}

/** Every number below `count` is as likely as any other. */
export function randomBelow(count: number): number {
  const unbiased = 2 ** 32 - (2 ** 32 % count)
  const drawn = new Uint32Array(1)
  do crypto.getRandomValues(drawn)
  while (drawn[0]! >= unbiased)
  return drawn[0]! % count
}

const mostCharacters = 200

async function beginning(path: NotePath, vault: ReadableVault): Promise<string> {
  const text = (await vault.read(path))?.text ?? ''
  const body = text.slice(findFrontmatter(text)?.end ?? 0).trim()
  return visibleText(body.length > mostCharacters ? `${cutText(body, mostCharacters)}...` : body).text
}
