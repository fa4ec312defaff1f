import { Failure } from '../errors.js'
import { parseNote } from '../markdown/index.js'
import type { FileStamp, NotePath, Vault } from '../vault/index.js'
import { segmentBuilder } from './engine/index.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import type { IndexBatch, IndexStore, KnownFile, StoredNoteRows } from './index-store.js'
import { type IndexView, unopened } from './index-view.js'
import { type FileNames, linksToRetarget, resolvedLinks, resolveLink } from './links/index.js'
import { addStamp, takeStamp } from './listing-sum.js'
import { noteRows } from './note-rows.js'

/** Rows are written in pieces of about this much text, segments in larger ones; while the store is busy, more gathers. */
const rowsBytes = 1 << 18
const mostRowsBytes = 1 << 20
const segmentBytes = 20 << 20
/** As much is still made in one go. Where there will be several, the first is small: search soon has something to find. */
const onlySegmentBytes = 24 << 20
const firstSegmentBytes = 4 << 20

/** Another process has changed the index since this run began: look again and start over with what is left. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export interface IndexRunSetup {
  read: Vault['read']
  store: IndexStore
  view: IndexView
  names: FileNames
  /** How much there is to look at, where it may be much. */
  bytes?: number
}

/**
 * One run over changed files: reads and parses each, and writes rows and segments in as few transactions as memory
 * allows. Rows come before their segment; `searchableBelow` tells the next start what a cut-off run left unfinished.
 */
export function indexRun({ read, store, view, names, bytes = 0 }: IndexRunSetup) {
  const startedEmpty = view.state.nextId === 1
  const state: IndexState = copyState(view.state)
  let generation = view.generation
  let builder = segmentBuilder()
  let put: StoredNoteRows[] = []
  let putBytes = 0
  let files: KnownFile[] = []
  let remove: NotePath[] = []
  /** Names that links may resolve to differently now. */
  const renamed = new Set<NotePath>()
  const hidden = new Set<NotePath>()
  /** Notes added or taken out: what ages the semantic model. */
  let changedNotes = 0
  /** What was handed over last. */
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false

  async function look(stamp: FileStamp, known: KnownFile | undefined): Promise<void> {
    if (known === undefined || !isName(known)) renamed.add(stamp.path)
    if (known !== undefined) state.listing = takeStamp(state.listing, known)
    if (!stamp.path.endsWith('.md')) return stampOnly({ ...stamp, id: 0, hash: '', state: 'name' })
    try {
      const file = await read(stamp.path)
      if (file === undefined) return hide(stamp, known)
      if (known?.state === 'indexed' && known.hash === file.hash && known.id < state.searchableBelow) {
        return stampOnly({ ...known, size: file.size, mtimeMs: file.mtimeMs, ctimeMs: file.ctimeMs })
      }
      forget(known)
      state.listing = addStamp(state.listing, file)
      const parsed = parseNote(file.path, file.text)
      const id = state.nextId++
      put.push(noteRows(id, file, parsed, resolvedLinks(names, file.path, parsed.links)))
      putBytes += file.size
      changedNotes++
      builder.add({
        id,
        path: file.path,
        title: parsed.title,
        aliases: parsed.aliases,
        extra: `${parsed.propertyText} ${parsed.tags.join(' ')}`,
        chunks: parsed.chunks.map((chunk) => chunk.text),
      })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      forget(known)
      stampOnly({ ...stamp, id: 0, hash: '', state: 'skipped', reason: error.message })
    }
    if (builder.textBytes >= enoughForSegment()) await finishSegment()
    else if (putBytes >= (isWriting ? mostRowsBytes : rowsBytes)) await commit({ rowsFollow: true })
  }

  function enoughForSegment(): number {
    if (bytes <= onlySegmentBytes) return onlySegmentBytes
    return state.segments.length === 0 ? firstSegmentBytes : segmentBytes
  }

  function hide(stamp: FileStamp, known: KnownFile | undefined): void {
    forget(known)
    names.remove(stamp.path)
    hidden.add(stamp.path)
    renamed.add(stamp.path)
    stampOnly({ ...stamp, id: 0, hash: '', state: 'hidden' })
  }

  function stampOnly(file: KnownFile): void {
    state.listing = addStamp(state.listing, file)
    files.push(file)
  }

  function gone(known: KnownFile): void {
    forget(known)
    state.listing = takeStamp(state.listing, known)
    remove.push(known.path)
    renamed.add(known.path)
  }

  /** The old text of a note leaves the engine as soon as its rows go. */
  function forget(known: KnownFile | undefined): void {
    if (known === undefined || known.id === 0) return
    for (const [at, { segment }] of view.segments.entries()) {
      if (!segment.has(known.id)) continue
      changedNotes++
      state.segments[at].dead.push(known.id)
    }
  }

  /** Hands over what has gathered. The store may write it in another thread while the next notes are read. */
  async function commit({ rowsFollow, blobs }: Pick<IndexBatch, 'rowsFollow' | 'blobs'>): Promise<void> {
    await writing
    // In an index made from nothing all links are resolved against all names; only private notes are found late.
    state.pendingNames = [...new Set([...view.state.pendingNames, ...(startedEmpty ? hidden : renamed)])]
    if (state.model !== undefined) state.model.changedSince += changedNotes
    changedNotes = 0
    isWriting = true
    writing = write({ put: put.map(withoutHidden), files, remove, blobs, rowsFollow }).finally(() => {
      isWriting = false
    })
    // Whoever waits for it next hears of a failure.
    writing.catch(() => undefined)
    put = []
    putBytes = 0
    files = []
    remove = []
  }

  /** The rows first, where they are many: they are written while the segment is made. */
  async function finishSegment({ rowsFollow = true } = {}): Promise<void> {
    // In a large vault what follows the last row waits for the segment: both at once would need too much memory.
    const isLarge = bytes > onlySegmentBytes
    if (builder.textBytes > rowsBytes) await commit({ rowsFollow: rowsFollow || isLarge })
    const segment = builder.noteCount > 0 ? takeSegment() : undefined
    state.searchableBelow = state.nextId
    await commit({ rowsFollow, blobs: segment && { put: [{ ...segment, kind: 'text' }] } })
  }

  async function write(batch: Omit<IndexBatch, 'expect' | 'meta'>): Promise<void> {
    const written = copyState(state)
    const next = await store.commit({ ...batch, expect: generation, meta: stateMeta(written) })
    if (next === undefined) throw new Overtaken()
    generation = next
    view.generation = next
    view.state = written
    for (const [at, { segment }] of view.segments.entries()) {
      for (const id of written.segments[at].dead) segment.kill(id)
    }
  }

  function takeSegment(): { name: string; bytes: Uint8Array } {
    const name = `text-${state.nextBlob++}`
    const bytes = builder.build()
    builder = segmentBuilder()
    state.segments.push({ name, dead: [] })
    return { name, bytes }
  }

  /** A note found private after links to it were resolved: they lead nowhere. */
  function withoutHidden(rows: StoredNoteRows): StoredNoteRows {
    if (!rows.links.some(({ target }) => target !== null && hidden.has(target))) return rows
    const links = rows.links.map((link) =>
      link.target !== null && hidden.has(link.target)
        ? { ...link, target: resolveLink(names, link.source, link.written) }
        : link,
    )
    return { ...rows, links }
  }

  async function finish(): Promise<void> {
    if (builder.noteCount > 0 || put.length + files.length + remove.length > 0) {
      await finishSegment({ rowsFollow: false })
    }
    await writing
    const retarget = await linksToRetarget(store, names, state.pendingNames as NotePath[])
    state.pendingNames = []
    await write({ retarget })
    // New segments are opened when someone asks: a large run would fill memory with what it no longer needs.
    view.generation = unopened
  }

  /** Waits for what is being written, however it ends. */
  const settled = (): Promise<void> => writing.catch(() => undefined)

  return { look, gone, finish, settled }
}

const isName = (file: KnownFile): boolean => file.state !== 'hidden'
