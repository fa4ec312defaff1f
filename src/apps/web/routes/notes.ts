import type { Hono } from 'hono'
import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import { findFrontmatter } from '../../../core/markdown/index.js'
import { matchNotes } from '../../../core/session/index.js'
import type { ServerEnv } from '../../server/index.js'
import { readableNotes, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

const search = z.object({
  query: z.string().max(2000),
  limit: z.number().int().min(1).max(50).optional(),
  tags: z.array(z.string().max(300)).max(20).optional(),
  folder: z.string().max(1000).optional(),
  properties: z.record(z.string(), z.string()).optional(),
  after: z.string().max(40).optional(),
  before: z.string().max(40).optional(),
  explain: z.boolean().optional(),
})

/** The person's own look at their notes. Hidden ones, and those that a rule denies, are absent, as everywhere. */
export function mountNotes(routes: Hono<ServerEnv>, setup: WebSetup): void {
  routes.get('/names', async (c) => {
    const wanted = c.req.query('wanted') ?? ''
    const { index } = await readableNotes(setup)
    const files = await index.files()
    const folders = [...new Set(files.flatMap(foldersOf))].filter((folder) => holds(folder, wanted))
    const tags = (await index.tags()).map(({ tag }) => tag).filter((tag) => holds(tag, wanted))
    return c.json({ notes: matchNotes(wanted, files), folders: folders.slice(0, 5), tags: tags.slice(0, 5) })
  })

  // Asks and changes nothing; a body holds what an address cannot.
  routes.post('/search', async (c) => {
    const request = bodyOf(c, search)
    const { index } = await readableNotes(setup)
    return c.json(await index.search(request))
  })

  routes.get('/note', async (c) => {
    const [wanted, ...subpath] = (c.req.query('target') ?? '').split('#')
    const { index, vault } = await readableNotes(setup)
    const note = await index.find(wanted)
    const file = await vault.read(note.path)
    if (file === undefined) throw new Failure('not-found', `Note not found: ${wanted}`)
    const { path, title, tags, properties, headings } = note
    const body = findFrontmatter(file.text)
    const links = await index.linksTo(path)
    return c.json({
      path,
      title,
      tags,
      properties,
      headings: headings.map(({ level, text, line }) => ({ level, text, line })),
      text: file.text,
      /** How many characters of the text are its properties. */
      bodyAt: body?.end ?? 0,
      ...(subpath.length > 0 && { heading: subpath.join('#') }),
      backlinks: [...new Set(links.map(({ source }) => source))],
    })
  })
}

/** Every folder that a file is in. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

const holds = (name: string, wanted: string): boolean =>
  wanted !== '' && name.toLowerCase().includes(wanted.toLowerCase().replace(/^#/, ''))
