import { join } from 'node:path'
import type { NoteIndex } from '../../core/tools/index.js'
import {
  type AppliedChangeSet,
  type ChangeSet,
  type FileStamp,
  type HistoryEntry,
  type JournaledVault,
  type NotePath,
  notePath,
} from '../../core/vault/index.js'
import {
  type Behind,
  type Freshness,
  IndexCorrupt,
  type IndexProgress,
  type MovePlan,
  type NoteLinks,
  openVaultIndex,
  type SearchAnswer,
  type SearchRequest,
  type StoredLink,
} from '../../core/vault-index/index.js'
import { type Config, journalBytes } from './config/index.js'
import { folderVault } from './folder-vault/index.js'
import type { IndexStage } from './index-worker.js'
import { runInThreads } from './run-in-threads.js'
import { sqliteStore } from './sqlite-store/index.js'
import { privateFolder, type StateFolders, vaultFolders } from './state/index.js'

export type Progress = IndexProgress
export type { NoteLinks }

export interface UpdateOptions {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** false leaves it at folding new notes into the semantic model there is. */
  vectors?: boolean
}

interface OwnUpdate extends UpdateOptions {
  /** Many files are known to have changed. */
  isLarge?: boolean
  /** What a look at the vault has just found. */
  found?: Behind
}

export interface IndexReport extends Spent {
  notes: number
  chunks: number
  links: number
  skipped: { path: string; reason: string }[]
}

interface Spent {
  /** Everything, vectors included. */
  ms: number
  /** Until search by words and links were ready. */
  lexicalMs: number
  vectorsMs: number
}

export interface NotebookStatus {
  notes: number
  chunks: number
  links: number
  unresolved: number
  freshness: Freshness
  /** Whether every note has its semantic vectors (or the vault is too small to need them). */
  isSettled: boolean
  indexFile: string
  indexBytes: number
  /** Why an earlier index could not be used and was begun anew. */
  rebuiltBecause?: string
}

/** One opened vault with its index and its history: what every front end on Node works with. */
export interface Notebook {
  readonly root: string
  readonly vault: JournaledVault
  readonly stateDir: string
  /** The index as tools see it. */
  readonly index: NoteIndex
  /** Brings the index up to date; large work runs in a thread of its own. */
  update(options?: UpdateOptions): Promise<IndexReport>
  /** Reads what `freshness` has found to be left. */
  catchUp(options?: UpdateOptions): Promise<void>
  /** Looks at the vault again and reads what has changed: for whoever stays open while other programs write. */
  refresh(options?: Pick<UpdateOptions, 'signal' | 'onProgress'>): Promise<void>
  search(request: SearchRequest): Promise<SearchAnswer>
  freshness(): Promise<Freshness>
  /** The path of the note a person means by a path, a path without `.md`, or a name only one note has. */
  findNote(wanted: string): Promise<NotePath>
  links(path: NotePath): Promise<NoteLinks>
  unresolved(): Promise<StoredLink[]>
  orphans(): Promise<NotePath[]>
  planMove(from: string, to: string): Promise<MovePlan>
  /** Writes, then brings the index up to date before answering. */
  apply(changeSet: ChangeSet): Promise<AppliedChangeSet>
  history(options?: { session?: string; note?: string; limit?: number }): Promise<HistoryEntry[]>
  planUndo(which: { id?: string; session?: string; note?: string }): Promise<ChangeSet>
  status(): Promise<NotebookStatus>
  /** Keeps the index up to date while the vault changes. Returns a stop function. */
  follow(): () => void
  close(): Promise<void>
}

export interface NotebookPlace {
  /** Real path of the vault's folder. */
  root: string
  config: Pick<Config, 'exclude' | 'journal'>
  folders: StateFolders
}

/** So few changed files are read on the spot; more are worth starting a thread for. */
const fewFiles = 200
/** A change set of so many is read on the spot: who planned it has read the notes before, and knows which they are. */
const manyPaths = 3000
const quietMs = 300
const upToDate: Behind = { count: 0, generation: -1, changed: [], gone: [], disk: [], known: [] }
const quickListingMs = 20

export interface OpenOptions {
  /** The vault is listed while the index is read: for those who search at once, and so ask how fresh it is. */
  listsAhead?: boolean
  /** All of the index is read at the start: for those who ask many questions. */
  readsAhead?: boolean
}

export async function openNotebook(
  place: NotebookPlace,
  { listsAhead, readsAhead }: OpenOptions = {},
): Promise<Notebook> {
  const { vault, store, indexFile, stateDir } = await openPlace(place, readsAhead)
  const opening = openVaultIndex({ vault, store })
  /** Begun at the start, and good for the first look alone. */
  let lookAhead = listsAhead ? vault.sum() : undefined
  lookAhead?.catch(() => undefined)
  const index = await opening
  /** What the index has not seen; undefined before anyone looked. */
  let behind: Behind | undefined
  let rebuiltBecause = store.rebuiltBecause
  /** Catching up that nobody waits for. */
  let background: Promise<unknown> = Promise.resolve()

  /** The index is a cache: where it turns out to be damaged it is made again, and the question asked again. */
  async function trusted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof IndexCorrupt)) throw error
      await discard(error)
      await updateOnce({ vectors: false })
      return work()
    }
  }

  async function discard(error: IndexCorrupt): Promise<void> {
    rebuiltBecause = error.message
    behind = undefined
    await store.clear()
  }

  async function update(options: UpdateOptions = {}): Promise<IndexReport> {
    const spent = await bringUp(options)
    const { notes, chunks, links } = await index.counts()
    return { notes, chunks, links, skipped: await index.skipped(), ...spent }
  }

  async function bringUp(options: OwnUpdate): Promise<Spent> {
    try {
      return await updateOnce(options)
    } catch (error) {
      if (!(error instanceof IndexCorrupt)) throw error
      await discard(error)
      return updateOnce({ ...options, found: undefined })
    }
  }

  async function look(): Promise<Behind> {
    if (behind === undefined) {
      const sum = lookAhead
      lookAhead = undefined
      const found = await index.behind({ sum })
      // Of many, the number is enough: whoever reads them lists them again.
      behind = found.count > 0 && found.count <= fewFiles ? found : { ...upToDate, count: found.count }
    }
    return behind
  }

  async function freshness(): Promise<Freshness> {
    const { count } = await look()
    return count === 0 ? 'fresh' : `catching up (${count} left)`
  }

  async function updateOnce(options: OwnUpdate): Promise<Spent> {
    const startedAt = performance.now()
    const wantsVectors = options.vectors !== false
    const isEmpty = await index.isEmpty()
    const found = options.found ?? (options.isLarge ? undefined : await (isEmpty ? listIfQuick : index.behind)(options))
    const left = found?.count ?? Number.POSITIVE_INFINITY
    let lexicalAt = startedAt
    const onDone = (stage: IndexStage) => {
      if (stage !== 'vectors') lexicalAt = performance.now()
    }
    const inThreads = (...stages: IndexStage[]) =>
      runInThreads(stages, place, { ...options, vectors: wantsVectors, onDone })
    if (left > fewFiles) {
      // Much memory is given back between the two; where there is little to do, one thread does both.
      await (isEmpty || wantsVectors ? inThreads('read', 'vectors') : inThreads('both'))
    } else {
      if (left > 0) await index.catchUp({ ...options, behind: found })
      lexicalAt = performance.now()
      if (wantsVectors && !(await index.isSettled())) await inThreads('vectors')
      else await index.settle({ ...options, fit: false })
    }
    behind = upToDate
    const endedAt = performance.now()
    return {
      ms: Math.round(endedAt - startedAt),
      lexicalMs: Math.round(lexicalAt - startedAt),
      vectorsMs: Math.round(endedAt - lexicalAt),
    }
  }

  /** What a new index begins with; undefined when listing takes long, for then it is many files. */
  async function listIfQuick({ signal }: Pick<OwnUpdate, 'signal'>): Promise<Behind | undefined> {
    const enough = new AbortController()
    const files: FileStamp[] = []
    const listing = vault
      .eachFile((file) => files.push(file), signal ? AbortSignal.any([signal, enough.signal]) : enough.signal)
      .then(() => files)
    listing.catch(() => undefined)
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, quickListingMs, undefined).unref())
    const listed = await Promise.race([listing, late])
    enough.abort()
    return listed && index.behind({ files: listed })
  }

  const search = (request: SearchRequest) => trusted(async () => index.search(request, await freshness()))

  return {
    root: place.root,
    vault,
    stateDir,
    index: {
      search,
      find: (wanted) => trusted(() => index.find(wanted)),
      note: (path) => trusted(() => index.note(path)),
      notesAt: (paths) => trusted(() => index.notesAt(paths)),
      notes: (filter) => trusted(() => index.notes(filter)),
      files: () => trusted(() => index.files()),
      tags: () => trusted(() => index.tags()),
      linksFrom: (path) => trusted(() => index.linksFrom(path)),
      linksTo: (path) => trusted(() => index.linksTo(path)),
      planMove: (from, to, options) => trusted(() => index.planMove(from, to, options)),
      update,
    },
    update,
    catchUp: (options) => trusted(async () => void (await bringUp({ ...options, found: await look() }))),
    async refresh(options) {
      behind = undefined
      const found = await trusted(look)
      if (found.count > 0) await bringUp({ ...options, found, vectors: false })
    },
    freshness: () => trusted(freshness),
    search,
    findNote: (wanted) => trusted(async () => (await index.find(wanted)).path),
    links: (path) => trusted(() => index.links(path)),
    unresolved: () => trusted(() => index.unresolved()),
    orphans: () => trusted(() => index.orphans()),
    planMove: (from, to) => trusted(() => index.planMove(from, to)),

    async apply(changeSet) {
      const applied = await vault.apply(changeSet)
      const paths = applied.changes.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]))
      try {
        if (paths.length > manyPaths) await bringUp({ vectors: false, isLarge: true })
        else {
          await trusted(async () => {
            await index.update([...new Set(paths)].filter(isVisible))
            await index.settle({ fit: false })
          })
        }
      } catch {
        // The notes are written, and whoever hears otherwise would write them again. Freshness tells the rest.
        behind = undefined
      }
      return applied
    },
    async history({ session, note, limit } = {}) {
      const touches = ({ changes }: HistoryEntry) => changes.some(({ path, to }) => path === note || to === note)
      const entries = (await vault.history()).filter(
        (entry) => (session === undefined || entry.session === session) && (note === undefined || touches(entry)),
      )
      return entries.slice(0, limit)
    },
    planUndo({ id, session, note }) {
      if (note !== undefined) return vault.planUndo({ note: notePath(note) })
      return vault.planUndo(session === undefined ? { id: id ?? '' } : { session })
    },
    status: () =>
      trusted(async () => ({
        ...(await index.counts()),
        freshness: await freshness(),
        isSettled: await index.isSettled(),
        indexFile,
        indexBytes: await store.bytes(),
        ...(rebuiltBecause !== undefined && { rebuiltBecause }),
      })),
    follow() {
      let timer: NodeJS.Timeout | undefined
      const stopping = new AbortController()
      const catchUp = () => {
        // What fails here fails again, aloud, when someone asks: `behind` is still unknown then.
        background = background.then(() => update({ signal: stopping.signal })).catch(() => undefined)
      }
      const stopWatching = vault.watch(() => {
        behind = undefined
        clearTimeout(timer)
        timer = setTimeout(catchUp, quietMs)
      })
      return () => {
        clearTimeout(timer)
        stopWatching()
        stopping.abort()
      }
    },
    async close() {
      await background
      await store.close()
    },
  }
}

/** The vault, its journal and its index, where this machine keeps them. */
export async function openPlace({ root, config, folders }: NotebookPlace, readsAhead = false) {
  const own = vaultFolders(folders, root)
  await privateFolder(own.index)
  await privateFolder(own.journal)
  const indexFile = join(own.index, 'index.db')
  const vault = await folderVault({
    root,
    stateDir: own.journal,
    exclude: config.exclude,
    retention: { days: config.journal.days, bytes: journalBytes(config) },
    systemTrash: folders.systemTrash,
  })
  return { vault, store: await sqliteStore({ file: indexFile, readsAhead }), indexFile, stateDir: own.journal }
}

/** What went to the trash, or came from it, has a name the index never sees. */
const isVisible = (path: NotePath): boolean => !path.split('/').some((segment) => segment.startsWith('.'))
