import { join } from 'node:path'
import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { type Canvas, readCanvas } from '../../../core/canvas.js'
import { Failure, failureData } from '../../../core/errors.js'
import { fileFacts } from '../../../core/files.js'
import type { NoteIndex, StoredNote } from '../../../core/index/index.js'
import { findFrontmatter } from '../../../core/markdown/index.js'
import {
  changeSet,
  editableText,
  isNote,
  mustBeUtf8,
  type NoteFile,
  type NotePath,
  notePath,
  withEdits,
} from '../../../core/vault/index.js'
import type { FolderNotebook } from '../../../hosts/node/open-notebook.js'
import type { ServerEnv } from '../../server/index.js'
import { readableNotes, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'
import { fileHeaders } from './notes.js'

/** Backlinks whose line is shown; notes that link from further places are only counted. */
const mostBacklinks = 50
const longestLine = 400

/** Only the end of a draft is searched, since that is where the user writes. */
const mostDraft = 1200
const mostRelated = 5

/** One note: shown, edited, and related to others. Hidden notes, and those that a rule denies, are absent. */
export function mountNote(routes: Hono<ServerEnv>, setup: WebSetup): void {
  routes.get('/note', async (c) => {
    const [wanted = '', ...subpath] = (c.req.query('target') ?? '').split('#')
    const notebook = await readableNotes(setup)
    const shown = await shownFile(notebook, wanted)
    return c.json({ ...shown, ...(subpath.length > 0 && { heading: subpath.join('#') }) })
  })

  // Pictures and PDFs of the vault. The page draws or saves them; opened directly they run nothing.
  routes.get('/file', async (c) => {
    const { vault } = await readableNotes(setup)
    const path = notePath(c.req.query('path') ?? '')
    const file = await vault.read(path)
    if (file === undefined) throw new Failure('not-found', `File not found: ${path}`)
    const type = mediaTypeOf(file)
    if (type === undefined) throw new Failure('invalid-input', `${path} is neither a picture nor a PDF.`)
    return new Response(new Uint8Array(file.bytes), { headers: { ...fileHeaders, 'Content-Type': type } })
  })

  // An edit by the user. It needs no approval, and is undone like any change.
  routes.post('/note', async (c) => c.json(await saveNote(c, setup)))

  routes.get('/related', async (c) => {
    const { index } = await readableNotes(setup)
    const { path } = await index.find(c.req.query('target') ?? '')
    const { notes } = await index.related({ path })
    return c.json({ path, notes })
  })

  // Notes like a text that is being written. A read-only POST: the text is searched here, and sent nowhere.
  routes.post('/related', async (c) => {
    const { text, except = [] } = bodyOf(
      c,
      z.strictObject({ text: z.string().max(20_000), except: z.array(z.string()).max(100).optional() }),
    )
    const { index } = await readableNotes(setup)
    const answer = await index.search({ query: plainWords(text), limit: mostRelated + except.length, explain: true })
    const hits = answer.hits.filter(({ path }) => !except.includes(path)).slice(0, mostRelated)
    return c.json({ ...answer, query: '', hits })
  })
}

/** The words at the end of a text, without what the search would take for filters or quotes. */
const plainWords = (text: string): string =>
  (text.slice(-mostDraft).match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []).slice(-200).join(' ')

/** A note, or the file that a link names. */
async function shownFile(notebook: FolderNotebook, wanted: string) {
  const { index } = notebook
  try {
    return await shownNote(notebook, await index.find(wanted))
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    const path = fileNamed(await index.files(), wanted)
    if (path === undefined) throw error
    return shownAttachment(notebook, path)
  }
}

/** The file at this path, else the one with the shortest path that ends with it. */
function fileNamed(files: readonly NotePath[], wanted: string): NotePath | undefined {
  const ending = `/${wanted.replace(/^\/+/, '')}`.toLowerCase()
  const fitting = files.filter((path) => `/${path}`.toLowerCase().endsWith(ending))
  return fitting.sort((a, b) => a.length - b.length)[0]
}

async function shownNote(notebook: FolderNotebook, note: StoredNote) {
  const { index, vault } = notebook
  const { path, title, tags, aliases, properties, headings, frontmatterError } = note
  const file = await vault.read(path)
  if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`)
  const text = editableText(file.text)
  const [obsidian, links, backlinks] = await Promise.all([
    obsidianAddress(notebook, path),
    linksFrom(index, path),
    backlinksOf(notebook, path),
  ])
  return {
    kind: 'note' as const,
    path,
    title,
    tags,
    aliases,
    properties,
    frontmatterError,
    headings: headings.map(({ level, text: words, line }) => ({ level, text: words, line })),
    text,
    /** Length of the frontmatter in characters. */
    bodyAt: findFrontmatter(text)?.end ?? 0,
    hash: file.hash,
    /** Only UTF-8 can be edited. */
    isReadOnly: file.encoding !== 'utf-8',
    obsidian,
    links,
    ...backlinks,
  }
}

/** A file that is no indexed note: a canvas, a picture, a PDF, a note that could not be indexed, or anything else. */
async function shownAttachment(notebook: FolderNotebook, path: NotePath) {
  const title = path.slice(path.lastIndexOf('/') + 1)
  const facts = { path, title, obsidian: await obsidianAddress(notebook, path) }
  let file: NoteFile | undefined
  try {
    file = await notebook.vault.read(path)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { kind: 'unreadable' as const, ...facts, why: failureData(error) }
  }
  if (file === undefined) throw new Failure('not-found', `File not found: ${path}`)
  const type = mediaTypeOf(file)
  if (type !== undefined) return { kind: 'file' as const, ...facts, type, size: file.size }
  if (isNote(path)) return { kind: 'source' as const, ...facts, text: editableText(file.text) }
  if (/\.canvas$/i.test(path)) {
    try {
      return { kind: 'canvas' as const, ...facts, canvas: readCanvas(file.text) satisfies Canvas }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { kind: 'unreadable' as const, ...facts, why: failureData(error) }
    }
  }
  return { kind: 'file' as const, ...facts, size: file.size }
}

/** By content; a vector picture is text, so its name decides. */
function mediaTypeOf({ path, bytes }: NoteFile): string | undefined {
  if (/\.svg$/i.test(path)) return 'image/svg+xml'
  try {
    return fileFacts(path, bytes)?.mediaType
  } catch (error) {
    // A damaged or very large one cannot be shown.
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Absent in a folder that Obsidian has not opened. */
async function obsidianAddress({ vault, root }: FolderNotebook, path: NotePath): Promise<string | undefined> {
  const { reading } = await vault.linkSettings()
  return reading === 'obsidian' ? `obsidian://open?path=${encodeURIComponent(join(root, path))}` : undefined
}

/** The links of a note, each target once. A link to a note that does not exist has no path. */
async function linksFrom(index: NoteIndex, path: NotePath) {
  const links = (await index.linksFrom(path)).filter(({ kind, target }) => kind !== 'external' && target !== path)
  const once = new Map(links.map((link) => [link.target ?? link.written.toLowerCase(), link]))
  const targets = [...once.values()].flatMap(({ target }) => target ?? [])
  const titles = new Map((await index.notesAt(targets)).map((note) => [note.path, note.title]))
  return [...once.values()]
    .filter(({ target, written }) => target !== null || written !== '')
    .map(({ target, written }) => ({
      path: target,
      title: (target && titles.get(target)) ?? (target === null ? written : fileName(target)),
    }))
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

/** Notes that link to one, each with its first line that does. */
async function backlinksOf({ index, vault }: FolderNotebook, path: NotePath) {
  const first = new Map<NotePath, { line: number; label: string }>()
  for (const { source, line, text } of await index.linksTo(path)) {
    if (source !== path && !first.has(source)) first.set(source, { line, label: text })
  }
  const sources = [...first.keys()].slice(0, mostBacklinks)
  const titles = new Map((await index.notesAt(sources)).map((note) => [note.path, note.title]))
  const backlinks = await vault.reading((read) =>
    Promise.all(
      sources.map(async (source) => {
        // `!`: the sources are the keys of this map.
        const { line, label } = first.get(source)!
        const text = await read(source).then(
          (file) => file?.text.split('\n')[line - 1]?.slice(0, longestLine).trim() ?? '',
          // The note that links is named all the same.
          () => '',
        )
        return { path: source, title: titles.get(source) ?? fileName(source), line, text, label }
      }),
    ),
  )
  return { backlinks, backlinkCount: first.size }
}

const edit = z.strictObject({
  path: z.string().max(2000),
  /** Hash of the bytes that were edited. */
  before: z.string().max(100),
  /** With LF as line break. */
  text: z.string().max(4_000_000),
})

async function saveNote(c: Context<ServerEnv>, setup: WebSetup) {
  const { path: wanted, before, text } = bodyOf(c, edit)
  const { vault } = await readableNotes(setup)
  const path = notePath(wanted)
  if (!isNote(path)) throw new Failure('invalid-input', `${path} is not a note.`)
  if (/\p{Surrogate}|\0/u.test(text))
    throw new Failure('invalid-input', 'The text has characters that a note cannot contain.')
  const file = await vault.read(path)
  if (file === undefined) throw new Failure('not-found', `Note not found: ${path}`)
  mustBeUtf8(file)
  if (file.hash !== before) throw new Failure('conflict', `${path} was changed meanwhile.`)
  const after = withEdits(file.text, text)
  if (after === file.text) return { path, hash: file.hash, isChanged: false }
  const planned = changeSet(`Edit ${path}`, [
    { kind: 'edit', path: file.path, before, after: new TextEncoder().encode(after) },
  ])
  const { id, changes } = await setup.vault.notebook.apply(planned)
  return { path, hash: changes[0]?.hash ?? before, isChanged: true, id }
}
