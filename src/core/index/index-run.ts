import { Failure } from '../errors.js'
import { type ParsedNote, parseNote } from '../markdown/index.js'
import {
  addStamp,
  areRulesUnreadable,
  type FileStamp,
  isText,
  type NoteFile,
  type NotePath,
  notText,
  takeStamp,
  type Vault,
} from '../vault/index.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import { type IndexedFile, type IndexStore, isLinkTarget, type StoredLink, type StoredNoteRows } from './index-store.js'
import { type IndexView, staleGeneration } from './index-view.js'
import type { IndexWriter, ReadNote, RunBatch } from './index-writer.js'
import type { FileNames } from './links/file-names.js'
import { formOf, linksToRetarget, resolvedLinks, resolveLink } from './links/resolve-link.js'

// `!` is used on `state.segments`, which has one entry for each segment of the view, in the same order.

/**
 * Sizes in bytes of text: rows are written in small pieces (larger while the store is busy), segments in large ones.
 */
const fewRowsBytes = 1 << 18
const mostRowsBytes = 1 << 20
const segmentBytes = 20 << 20
/**
 * Up to this size there is one segment. If there will be several, the first is small, so that search soon finds
 * something.
 */
const onlySegmentBytes = 24 << 20
const firstSegmentBytes = 4 << 20
/** Each segment repeats words of the others, which makes the run and every query slower: only long runs get several. */
const segmentMs = 15_000

interface IndexRunSetup {
  read: Vault['read']
  store: Pick<IndexStore, 'linksByKey'>
  /** Used by this run only. */
  writer: IndexWriter
  view: IndexView
  names: FileNames
  /** Total bytes to read, if it may be much. */
  bytes?: number
  /** Size of a piece of rows: larger ones are faster if nothing else writes meanwhile. */
  rowsBytes?: number
}

/**
 * One run over changed files: reads and parses each, and writes rows and segments in as few transactions as memory
 * allows. Rows come before their segment or with it; after an interrupted run, `searchableBelow` tells the next one
 * what is unfinished.
 */
export function indexRun({ read, store, writer, view, names, bytes = 0, rowsBytes = fewRowsBytes }: IndexRunSetup) {
  const startedEmpty = view.state.nextId === 1
  const state: IndexState = { ...copyState(view.state), reading: names.reading }
  let generation = view.generation
  let put: ReadNote[] = []
  let putBytes = 0
  /** Number and text size of notes that are in no segment yet. */
  let gathered = 0
  let gatheredText = 0
  let files: IndexedFile[] = []
  let remove: NotePath[] = []
  /** Added and removed names: links to them may change their target. */
  const renamed = new Set<NotePath>()
  const hidden = new Set<NotePath>()
  /** Notes added or removed, which age the semantic model. */
  let changedNotes = 0
  /** The last write. Awaited before the next one. */
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  const startedAt = performance.now()
  let segmentAt = startedAt

  async function indexFile(stamp: FileStamp, known: IndexedFile | undefined): Promise<void> {
    if (known === undefined || isLinkTarget(known) !== (stamp.barred === undefined)) renamed.add(stamp.path)
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
      if (!(error instanceof Failure) || areRulesUnreadable(error)) throw error
      forget(known)
      // After a disk error the stamp is one that no file has, so that the next run tries again.
      const ctimeMs = error.code === 'internal' ? neverMs : stamp.ctimeMs
      stampOnly({ ...stamp, ctimeMs, id: 0, hash: '', state: 'skipped', reason: reasonOf(error) })
    }
    if (gatheredText >= enoughForSegment() || isSegmentDue()) await finishSegment({ rowsFollow: true })
    else if (putBytes >= (isWriting ? Math.max(rowsBytes, mostRowsBytes) : rowsBytes))
      await commit({ rowsFollow: true })
  }

  function enoughForSegment(): number {
    if (bytes <= onlySegmentBytes) return onlySegmentBytes
    return state.segments.length === 0 ? firstSegmentBytes : segmentBytes
  }

  /** An interrupted run continues from its last segment, so it loses 15 seconds or at most a third of its time. */
  function isSegmentDue(): boolean {
    const now = performance.now()
    if (now - segmentAt < Math.max(segmentMs, (segmentAt - startedAt) / 2)) return false
    segmentAt = now
    return gathered > 0
  }

  function hide(stamp: FileStamp, known: IndexedFile | undefined): void {
    if (known !== undefined && known.id !== 0) state.mustErase = true
    forget(known)
    names.remove(stamp.path)
    hidden.add(stamp.path)
    renamed.add(stamp.path)
    stampOnly({ ...stamp, id: 0, hash: '', state: 'hidden' })
  }

  function bar({ path, size, mtimeMs, ctimeMs }: FileStamp, reason: string, known: IndexedFile | undefined): void {
    forget(known)
    stampOnly({ path, size, mtimeMs, ctimeMs, id: 0, hash: '', state: 'barred', reason })
  }

  function stampOnly(file: IndexedFile): void {
    state.listing = addStamp(state.listing, file)
    files.push(file)
  }

  function removeFile(known: IndexedFile, isHidden: boolean): void {
    if (isHidden && known.id !== 0) state.mustErase = true
    forget(known)
    state.listing = takeStamp(state.listing, known)
    remove.push(known.path)
    renamed.add(known.path)
  }

  /** Marks the old version of a note as dead in its segment. */
  function forget(known: IndexedFile | undefined): void {
    if (known === undefined || known.id === 0) return
    for (const [at, { segment }] of view.segments.entries()) {
      if (!segment.has(known.id)) continue
      changedNotes++
      state.segments[at]!.dead.push(known.id)
    }
  }

  /** Writes the collected rows, possibly in another thread, while the next notes are read. */
  async function commit({ rowsFollow, segment }: Pick<RunBatch, 'rowsFollow' | 'segment'>): Promise<void> {
    await writing
    // First build: links are already resolved; only notes found private later need a second pass.
    state.pendingNames = [...new Set([...view.state.pendingNames, ...(startedEmpty ? hidden : renamed)])]
    if (state.model !== undefined) state.model.changedSince += changedNotes
    changedNotes = 0
    isWriting = true
    writing = write({ put: put.map(withoutHidden), files, remove, segment, rowsFollow }).finally(() => {
      isWriting = false
    })
    // The next `await writing` reports the failure.
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
    if (next === undefined) throw new WriteConflict()
    generation = next
    view.generation = next
    view.state = written
    for (const [at, { segment }] of view.segments.entries()) {
      for (const id of written.segments[at]!.dead) segment.kill(id)
    }
  }

  /** Resolves links again whose target was found private after they were resolved. */
  function withoutHidden(rows: ReadNote): ReadNote {
    if (!rows.links.some(({ target }) => target !== null && hidden.has(target))) return rows
    const links = rows.links.map((link) =>
      link.target !== null && hidden.has(link.target)
        ? { ...link, target: resolveLink(names, link.source, link.written, formOf(link.raw)) }
        : link,
    )
    return { ...rows, links }
  }

  /** `isWhole`: all files of the vault have been read. */
  async function finish({ isWhole = false } = {}): Promise<void> {
    if (gathered > 0 || put.length + files.length + remove.length > 0) {
      await finishSegment({ rowsFollow: false })
    }
    await writing
    const retarget = await linksToRetarget(store, names, state.pendingNames as NotePath[])
    state.pendingNames = []
    if (isWhole) state.isWhole = true
    await write({ put: [], retarget })
    // New segments are opened on demand: keeping them open would fill memory in a large run.
    view.generation = staleGeneration
  }

  /** Waits for the last write, whether or not it fails. */
  const allWritten = (): Promise<void> => writing.catch(() => undefined)

  return { indexFile, removeFile, finish, allWritten }
}

/** Only .md files are read; other files are indexed by name. */
export const isRead = ({ path, barred }: FileStamp): boolean => path.endsWith('.md') && barred === undefined

const neverMs = -1

function reasonOf({ message, details: { data } }: Failure): string {
  return typeof data?.why === 'string' ? data.why : message
}

/** The rows of a parsed note. */
export function noteRows(id: number, file: NoteFile, parsed: ParsedNote, links: StoredLink[]): StoredNoteRows {
  return {
    note: {
      id,
      path: file.path,
      title: parsed.title,
      aliases: parsed.aliases,
      tags: parsed.tags,
      properties: parsed.properties,
      frontmatterError: parsed.frontmatter?.errors[0],
      headings: parsed.headings.map(({ level, text, line }) => ({ level, text, line })),
      blocks: parsed.blocks.map(({ id: block, line }) => ({ id: block, line })),
      size: file.size,
      mtimeMs: file.mtimeMs,
      ctimeMs: file.ctimeMs,
      createdMs: parsed.createdMs ?? file.ctimeMs,
      hash: file.hash,
    },
    chunks: parsed.chunks.map(({ ordinal, heading, lines, start, end, text }) => ({
      ordinal,
      heading,
      lines,
      start,
      end,
      content: text,
    })),
    links,
  }
}

/** Another writer has changed the index since this run started: the run must be repeated. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
}

/** An update fails after this many conflicts in a row without progress. */
const mostLost = 8
const firstWaitMs = 10
const longestWaitMs = 500
/** Limit of waiting for another process that writes a whole vault. */
const mostWaits = 240

/**
 * Waits for other writers before an update is repeated. Two updates repeated at once would invalidate each other's
 * commits forever, so the loser waits until the store is quiet, with a random, growing delay.
 */
export function writeConflicts(store: Pick<IndexStore, 'generation'>) {
  let lost = 0
  let fewestLeft = Number.POSITIVE_INFINITY

  /** Called after a conflict with `left` files still to be read. Fails if the update makes no progress. */
  async function wait(left: number, signal?: AbortSignal): Promise<void> {
    lost = left < fewestLeft ? 1 : lost + 1
    fewestLeft = Math.min(left, fewestLeft)
    if (lost > mostLost) throw noProgress(left)
    let before = await store.generation()
    for (let waits = 0; waits < mostWaits; waits++) {
      const ms = Math.min(longestWaitMs, firstWaitMs * 2 ** lost) * (0.5 + Math.random())
      await new Promise<void>((resume) => setTimeout(resume, ms))
      signal?.throwIfAborted()
      const now = await store.generation()
      if (now === before) return
      before = now
    }
    throw noProgress(left)
  }

  return { wait }
}

function noProgress(left: number): Failure {
  const notes = `${left} ${left === 1 ? 'file' : 'files'} left`
  return new Failure('conflict', `The index was not updated: another process keeps changing it (${notes}).`, {
    hint: 'Try again when the other process has finished.',
    command: 'notewright index',
  })
}
