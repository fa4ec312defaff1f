import { Failure } from '../errors.js'
import { parseNote } from '../markdown/index.js'
import {
  addStamp,
  type FileStamp,
  isRulesUnread,
  isText,
  type NotePath,
  notText,
  takeStamp,
  type Vault,
} from '../vault/index.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import { type IndexStore, isName, type KnownFile } from './index-store.js'
import { type IndexView, unopened } from './index-view.js'
import type { IndexWriter, ReadNote, RunBatch } from './index-writer.js'
import { type FileNames, formOf, linksToRetarget, resolvedLinks, resolveLink } from './links/index.js'
import { noteRows } from './note-rows.js'

/** Rows are written in pieces of about this much text, segments in larger ones; while the store is busy, more gathers. */
const fewRowsBytes = 1 << 18
const mostRowsBytes = 1 << 20
const segmentBytes = 20 << 20
/** As much is still made in one go. Where there will be several, the first is small: search soon has something to find. */
const onlySegmentBytes = 24 << 20
const firstSegmentBytes = 4 << 20

/** Another process has changed the index since this run began: look again and start over with what is left. */
export class OtherWriterCommitted extends Error {
  override readonly name = 'OtherWriterCommitted'
}

export interface IndexRunSetup {
  read: Vault['read']
  store: Pick<IndexStore, 'linksByKey'>
  /** Of this run alone. */
  writer: IndexWriter
  view: IndexView
  names: FileNames
  /** How much there is to look at, where it may be much. */
  bytes?: number
  /** Rows are written in pieces of about this much text: larger ones take less time, if nobody writes them meanwhile. */
  rowsBytes?: number
}

/**
 * One run over changed files: reads and parses each, and writes rows and segments in as few transactions as memory
 * allows. Rows come before their segment or with it; `searchableBelow` tells the next start what a cut-off run left
 * unfinished.
 */
export function indexRun({ read, store, writer, view, names, bytes = 0, rowsBytes = fewRowsBytes }: IndexRunSetup) {
  const startedEmpty = view.state.nextId === 1
  const state: IndexState = { ...copyState(view.state), reading: names.reading }
  let generation = view.generation
  let put: ReadNote[] = []
  let putBytes = 0
  /** Notes that are in no segment yet, and how much text they are. */
  let gathered = 0
  let gatheredText = 0
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
    if (known === undefined || isName(known) !== (stamp.barred === undefined)) renamed.add(stamp.path)
    if (known !== undefined) state.listing = takeStamp(state.listing, known)
    if (stamp.barred !== undefined) return bar(stamp, stamp.barred, known)
    if (!isRead(stamp)) return stampOnly({ ...stamp, id: 0, hash: '', state: 'name' })
    try {
      const file = await read(stamp.path)
      if (file === undefined) return hide(stamp, known)
      if (!isText(file)) throw notText(file.path)
      if (known?.state === 'indexed' && known.hash === file.hash && known.id < state.searchableBelow) {
        return stampOnly({ ...known, size: file.size, mtimeMs: file.mtimeMs, ctimeMs: file.ctimeMs })
      }
      forget(known)
      state.listing = addStamp(state.listing, file)
      const parsed = parseNote(file.path, file.text)
      const id = state.nextId++
      put.push({
        ...noteRows(id, file, parsed, resolvedLinks(names, file.path, parsed.links)),
        names: parsed.opening === undefined ? parsed.aliases : [...parsed.aliases, parsed.opening],
        extra: `${parsed.propertyText} ${parsed.tags.join(' ')}`,
      })
      putBytes += file.size
      gathered++
      gatheredText += file.text.length
      changedNotes++
    } catch (error) {
      if (!(error instanceof Failure) || isRulesUnread(error)) throw error
      forget(known)
      // What the disk could not do just now it may do the next time: a stamp that no file has is looked at again.
      const ctimeMs = error.code === 'internal' ? neverMs : stamp.ctimeMs
      stampOnly({ ...stamp, ctimeMs, id: 0, hash: '', state: 'skipped', reason: reasonOf(error) })
    }
    if (gatheredText >= enoughForSegment()) await finishSegment({ rowsFollow: true })
    else if (putBytes >= (isWriting ? Math.max(rowsBytes, mostRowsBytes) : rowsBytes))
      await commit({ rowsFollow: true })
  }

  function enoughForSegment(): number {
    if (bytes <= onlySegmentBytes) return onlySegmentBytes
    return state.segments.length === 0 ? firstSegmentBytes : segmentBytes
  }

  function hide(stamp: FileStamp, known: KnownFile | undefined): void {
    if (known !== undefined && known.id !== 0) state.mustErase = true
    forget(known)
    names.remove(stamp.path)
    hidden.add(stamp.path)
    renamed.add(stamp.path)
    stampOnly({ ...stamp, id: 0, hash: '', state: 'hidden' })
  }

  function bar({ path, size, mtimeMs, ctimeMs }: FileStamp, reason: string, known: KnownFile | undefined): void {
    forget(known)
    stampOnly({ path, size, mtimeMs, ctimeMs, id: 0, hash: '', state: 'barred', reason })
  }

  function stampOnly(file: KnownFile): void {
    state.listing = addStamp(state.listing, file)
    files.push(file)
  }

  function gone(known: KnownFile, isHidden: boolean): void {
    if (isHidden && known.id !== 0) state.mustErase = true
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

  /** Hands over what has gathered. It may be written in another thread while the next notes are read. */
  async function commit({ rowsFollow, segment }: Pick<RunBatch, 'rowsFollow' | 'segment'>): Promise<void> {
    await writing
    // In an index made from nothing all links are resolved against all names; only private notes are found late.
    state.pendingNames = [...new Set([...view.state.pendingNames, ...(startedEmpty ? hidden : renamed)])]
    if (state.model !== undefined) state.model.changedSince += changedNotes
    changedNotes = 0
    isWriting = true
    writing = write({ put: put.map(withoutHidden), files, remove, segment, rowsFollow }).finally(() => {
      isWriting = false
    })
    // Whoever waits for it next hears of a failure.
    writing.catch(() => undefined)
    put = []
    putBytes = 0
    files = []
    remove = []
  }

  async function finishSegment({ rowsFollow }: { rowsFollow: boolean }): Promise<void> {
    await writing
    const segment = gathered > 0 ? `text-${state.nextBlob++}` : undefined
    if (segment !== undefined) state.segments.push({ name: segment, dead: [] })
    gathered = 0
    gatheredText = 0
    state.searchableBelow = state.nextId
    await commit({ rowsFollow, segment })
  }

  async function write(batch: Omit<RunBatch, 'expect' | 'meta'>): Promise<void> {
    const written = copyState(state)
    const next = await writer.write({ ...batch, expect: generation, meta: stateMeta(written) })
    if (next === undefined) throw new OtherWriterCommitted()
    generation = next
    view.generation = next
    view.state = written
    for (const [at, { segment }] of view.segments.entries()) {
      for (const id of written.segments[at].dead) segment.kill(id)
    }
  }

  /** A note found private after links to it were resolved: they lead nowhere. */
  function withoutHidden(rows: ReadNote): ReadNote {
    if (!rows.links.some(({ target }) => target !== null && hidden.has(target))) return rows
    const links = rows.links.map((link) =>
      link.target !== null && hidden.has(link.target)
        ? { ...link, target: resolveLink(names, link.source, link.written, formOf(link.raw)) }
        : link,
    )
    return { ...rows, links }
  }

  async function finish(): Promise<void> {
    if (gathered > 0 || put.length + files.length + remove.length > 0) {
      await finishSegment({ rowsFollow: false })
    }
    await writing
    const retarget = await linksToRetarget(store, names, state.pendingNames as NotePath[])
    state.pendingNames = []
    await write({ put: [], retarget })
    // New segments are opened when someone asks: a large run would fill memory with what it no longer needs.
    view.generation = unopened
  }

  /** Waits for what is being written, however it ends. */
  const allWritten = (): Promise<void> => writing.catch(() => undefined)

  return { look, gone, finish, allWritten }
}

/** Of all other files the name is enough. */
export const isRead = ({ path, barred }: FileStamp): boolean => path.endsWith('.md') && barred === undefined

const neverMs = -1

function reasonOf({ message, details: { data } }: Failure): string {
  return typeof data?.why === 'string' ? data.why : message
}
