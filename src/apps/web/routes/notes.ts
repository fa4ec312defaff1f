import type { Hono } from 'hono'
import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import { fileFacts } from '../../../core/files.js'
import { graphOf, neighbourhood } from '../../../core/index/index.js'
import { matchNotes, notesTouched } from '../../../core/session/index.js'
import { hashBytes, type NotePath, notePath } from '../../../core/vault/index.js'
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
  texts: z.boolean().optional(),
})

/** Suggestions shown at once. */
const mostNames = 8

/** The user's own look at their notes. Hidden ones, and those that a rule denies, are absent, as everywhere. */
export function mountNotes(routes: Hono<ServerEnv>, setup: WebSetup): void {
  routes.get('/names', async (c) => {
    const wanted = c.req.query('wanted') ?? ''
    const { index } = await readableNotes(setup)
    const files = await index.files()
    const folders = [...new Set(files.flatMap(foldersOf))].filter((folder) => holds(folder, wanted))
    const tags = (await index.tags()).map(({ tag }) => tag).filter((tag) => holds(tag, wanted))
    return c.json({ notes: matchNotes(wanted, files), folders: folders.slice(0, 5), tags: tags.slice(0, 5) })
  })

  // Values for one filter of the search, the most used first.
  routes.get('/filters', async (c) => {
    const wanted = (c.req.query('wanted') ?? '').trim()
    const { index } = await readableNotes(setup)
    const values = await filterValues(index, c.req.query('kind') ?? '', wanted)
    return c.json({ values: values.slice(0, mostNames) })
  })

  // Only paths: the page builds the tree.
  routes.get('/tree', async (c) => {
    const { index } = await readableNotes(setup)
    return c.json({ notes: (await index.files()).filter((path) => /\.(?:md|canvas)$/i.test(path)).sort() })
  })

  // A read-only POST, since the query does not fit in a URL.
  routes.post('/search', async (c) => {
    const request = bodyOf(c, search)
    const { index } = await readableNotes(setup)
    return c.json(await index.search(request))
  })
}

/** Every folder that a file is in. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

const holds = (name: string, wanted: string): boolean =>
  wanted !== '' && name.toLowerCase().includes(wanted.toLowerCase().replace(/^#/, ''))

type ReadableIndex = Awaited<ReturnType<typeof readableNotes>>['index']

/** Tags, folders, or properties as `status: done`, that contain the typed text. Without a text all of them. */
async function filterValues(index: ReadableIndex, kind: string, wanted: string): Promise<string[]> {
  const fits = (name: string) => wanted === '' || holds(name, wanted)
  if (kind === 'tag') return (await index.tags()).map(({ tag }) => tag).filter(fits)
  if (kind === 'folder') return byUse((await index.files()).flatMap(foldersOf)).filter(fits)
  if (kind !== 'property') throw new Failure('invalid-input', `There is no filter ${kind}.`)
  const properties = (await index.notes()).map((note) => Object.entries(note.properties ?? {}))
  const [name, ...value] = wanted.split(/\s*:\s*/)
  const isNamed = value.length > 0
  if (!isNamed) return byUse(properties.flatMap((each) => each.map(([key]) => key))).filter(fits)
  const values = properties.flatMap((each) =>
    each.filter(([key]) => key.toLowerCase() === name?.toLowerCase()).flatMap(([key, one]) => valuesOf(key, one)),
  )
  return byUse(values).filter((text) => text.toLowerCase().includes(value.join(': ').toLowerCase()))
}

/** `status: done` for each value that is one line of text. */
const valuesOf = (key: string, value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) =>
    ['string', 'number', 'boolean'].includes(typeof one) && `${one}`.length <= 200 && !/\n/.test(`${one}`)
      ? [`${key}: ${one}`]
      : [],
  )

/** Without repetitions, the most frequent first. */
function byUse(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).map(([name]) => name)
}

/** A larger graph would be unreadable. */
const mostNodes = 150
const mostDepth = 3

/** Graph of a note's links, and of the notes of a conversation. */
export function mountGraph(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { vault } = setup

  routes.get('/graph', async (c) => {
    const { index } = await readableNotes(setup)
    const session = c.req.query('session')
    if (session !== undefined) {
      return c.json(await graphOf(index, await notesTouched(vault.sessions, vault.registry, session), mostNodes))
    }
    const { path } = await index.find(c.req.query('target') ?? '')
    const depth = Math.min(mostDepth, Math.max(1, Number(c.req.query('depth')) || 1))
    return c.json(await neighbourhood(index, path, { depth, limit: mostNodes }))
  })
}

/** A picture may only be drawn: opened directly it may not run anything either. */
export const fileHeaders = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'Content-Disposition': 'inline',
}

/** Pictures of a conversation: attachments, and pictures of the vault as the model saw them. */
export function mountPictures(routes: Hono<ServerEnv>, setup: WebSetup): void {
  routes.get('/picture', async (c) => {
    const target = c.req.query('target') ?? ''
    const { vault } = await readableNotes(setup)
    const path = embeddedFile(
      (await vault.files()).map((file) => file.path),
      target,
    )
    const file = path && (await vault.read(path))
    if (file === undefined) throw new Failure('not-found', `Picture not found: ${target}`)
    return picture(file.bytes)
  })

  routes.get('/sessions/:id/pictures/:hash', async (c) => {
    const { id, hash } = c.req.param()
    const path = c.req.query('path')
    const bytes = path === undefined ? await setup.vault.sessions.file(id, hash) : await vaultBytes(setup, path)
    if (bytes === undefined || hashBytes(bytes) !== hash)
      throw new Failure('not-found', 'This picture is no longer there, or it is another one now.')
    return picture(bytes)
  })
}

function picture(bytes: Uint8Array): Response {
  const facts = fileFacts('The file', bytes)
  if (facts?.kind !== 'image') throw new Failure('invalid-input', 'This is no picture.')
  return new Response(new Uint8Array(bytes), { headers: { ...fileHeaders, 'Content-Type': facts.mediaType } })
}

/** The file that an embed names: by its path, or by the end of it; the shortest of several. */
function embeddedFile(files: readonly NotePath[], target: string): NotePath | undefined {
  const wanted = `/${target.replace(/^\.?\/+/, '')}`.toLowerCase()
  const found = files.filter((path) => `/${path}`.toLowerCase().endsWith(wanted))
  return found.sort((a, b) => a.length - b.length)[0]
}

/** The vault under the user's rules: hidden files are absent. */
async function vaultBytes(setup: WebSetup, path: string): Promise<Uint8Array | undefined> {
  const { vault } = await readableNotes(setup)
  return (await vault.read(notePath(path)))?.bytes
}
