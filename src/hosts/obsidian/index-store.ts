import type {
  IndexBatch,
  IndexedFile,
  IndexStore,
  StoredBlob,
  StoredChunk,
  StoredNoteRows,
  StoreRows,
} from '../../core/index/index.js'
import {
  changeRows,
  checkRows,
  compareText,
  countRows,
  emptyRows,
  IndexCorrupt,
  indexedFileOf,
  putNote,
  removeNote,
  rowQueries,
  yieldToHost,
} from '../../core/index/index.js'
import type { NotePath } from '../../core/vault/index.js'
import type { Stores } from './database.js'
import { openDatabase, requestResult } from './database.js'

type BlobName = Pick<StoredBlob, 'name' | 'kind'> & { size: number }
type ChunksById = Record<number, StoredChunk[]>

/**
 * `packs` holds rows of several notes in one text, by the generation it was written in and its number, `chunks` the
 * passages of those notes, by that number; `blobs` the bytes of the entries in `names`. Separate rows for each note and
 * its passages took the browser longer than making them.
 */
const stores = ['state', 'meta', 'packs', 'chunks', 'names', 'blobs'] as const
const version = 2

/**
 * The index in IndexedDB. Notes, links and stamps are also kept in memory; when another connection, such as the
 * worker's, has written packs, they are loaded. Passages and blobs are read on demand.
 */
export async function indexedDbStore(name: string): Promise<IndexStore> {
  const schema = Object.fromEntries(stores.map((store) => [store, {}]))
  const database = await openDatabase(name, version, schema, { isCache: true })
  let mirror = emptyMirror()

  const generation = () => database.look(['state'], generationIn)

  let queue: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work)
    // The caller gets the failure; the queue continues.
    queue = turn.catch(() => undefined)
    return turn
  }

  async function catchUp(): Promise<Mirror> {
    const news = await database.look(['state', 'packs'], (store) => packsSince(store, mirror.generation))
    if (news === undefined) return mirror
    const next = news.isAll ? emptyMirror() : mirror
    await takeIn(next, news.packs)
    next.generation = news.generation
    mirror = next
    return mirror
  }
  const current = () => inTurn(catchUp)

  async function commit(batch: IndexBatch): Promise<number | undefined> {
    const before = await catchUp()
    if (before.generation !== batch.expect) return undefined
    const next = batch.expect + 1
    const packs = planPacks(before, batch, next)
    const isDone = await database.change(stores, async (store) => {
      if ((await generationIn(store)) !== batch.expect) return false
      await Promise.all(packs.map((pack) => writePack(store, pack, before, batch)))
      writeBlobs(store, batch.blobs)
      for (const [key, value] of Object.entries(batch.meta ?? {})) store('meta').put(value, key)
      store('state').put(next, 'generation')
      return true
    })
    if (!isDone) return undefined
    for (const { number } of packs) empty(before, number)
    for (const pack of packs) fill(before, pack, pack.entries)
    before.generation = next
    return next
  }

  return {
    ...rowQueries(current),
    generation,
    meta: (key) => database.look(['meta'], (store) => requestResult<string | undefined>(store('meta').get(key))),
    commit: (batch) => inTurn(() => commit(batch)),
    async chunks(wanted) {
      const { paths, packOf } = await current()
      // `!`: an unknown id has no path, and `undefined` is in no pack.
      const packAt = ({ note }: { note: number }) => packOf.get(paths.get(note)!)
      const numbers = [...new Set(wanted.map(packAt))].filter((number) => number !== undefined)
      const texts = await database.look(['chunks'], (store) =>
        Promise.all(numbers.map((number) => requestResult<string | undefined>(store('chunks').get(number)))),
      )
      const found = new Map(numbers.map((number, at) => [number, chunksIn(texts[at])]))
      // `!`: likewise for a note in no pack.
      return wanted.map((one) => found.get(packAt(one)!)?.[one.note]?.find((chunk) => chunk.ordinal === one.ordinal))
    },
    async counts() {
      const rows = await current()
      const chunks = [...rows.chunkCounts.values()].reduce((sum, count) => sum + count, 0)
      return { ...countRows(rows), chunks }
    },
    async blobNames() {
      const names = await database.look(['names'], (store) => requestResult<BlobName[]>(store('names').getAll()))
      return names.sort((a, b) => compareText(a.name, b.name))
    },
    blob: (wanted) =>
      database.look(['names', 'blobs'], async (store) => {
        const known: BlobName | undefined = await requestResult(store('names').get(wanted))
        if (known === undefined) return undefined
        const bytes: Uint8Array | undefined = await requestResult(store('blobs').get(wanted))
        if (bytes?.length !== known.size) throw new IndexCorrupt(`The index has lost ${wanted}.`)
        return { bytes, need: () => {} }
      }),
    // Deletion is final as far as a page can tell.
    erase: async () => true,
    clear: () =>
      inTurn(() =>
        database.change(stores, async (store) => {
          const next = (await generationIn(store)) + 1
          for (const one of stores) store(one).clear()
          store('state').put(next, 'generation')
          store('state').put(next, 'begun')
        }),
      ),
    async close() {
      await inTurn(async () => database.close())
    },
  }
}

async function generationIn(store: Stores): Promise<number> {
  return (await requestResult<number | undefined>(store('state').get('generation'))) ?? 0
}

interface News {
  generation: number
  packs: PackText[]
  /** These are all there are. */
  isAll: boolean
}

const packsAtOnce = 50

/** undefined where nothing has been written since. */
async function packsSince(store: Stores, seen: number): Promise<News | undefined> {
  const [generation, begun] = await Promise.all([
    generationIn(store),
    requestResult<number | undefined>(store('state').get('begun')),
  ])
  if (generation === seen) return undefined
  const isAll = seen < (begun ?? 0)
  const range = IDBKeyRange.lowerBound([isAll ? 0 : seen + 1])
  const keys = await requestResult<[number, number][]>(store('packs').getAllKeys(range))
  const texts: string[] = []
  // All at once they would come in one long task.
  for (let from = 0; from < keys.length; from += packsAtOnce) {
    const some = keys.slice(from, from + packsAtOnce)
    const found = await requestResult<string[]>(
      store('packs').getAll(IDBKeyRange.bound(some[0], some[some.length - 1])),
    )
    texts.push(...found)
  }
  const packs = keys.map(([since, number], at) => {
    const text = texts[at]
    if (text === undefined) throw new IndexCorrupt(`The pack ${number} has a key and no text.`)
    return { generation: since, number, text }
  })
  return { generation, packs, isAll }
}

async function writePack(store: Stores, pack: PlannedPack, before: Mirror, { put = [] }: IndexBatch): Promise<void> {
  const { number, generation, text, chunksOf } = pack
  const known = before.packs.get(number)
  if (known !== undefined) store('packs').delete([known.generation, number])
  store('packs').put(text, [generation, number])
  if (chunksOf === undefined) return
  const kept = known && chunksIn(await requestResult<string | undefined>(store('chunks').get(number)))
  const chunks: ChunksById = Object.fromEntries(Object.entries(kept ?? {}).filter(([id]) => chunksOf.has(Number(id))))
  for (const rows of put) if (chunksOf.has(rows.note.id)) chunks[rows.note.id] = rows.chunks
  store('chunks').put(JSON.stringify(chunks), number)
}

function chunksIn(text: string | undefined): ChunksById | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as ChunksById)
}

function writeBlobs(store: Stores, { put = [], remove = [] }: NonNullable<IndexBatch['blobs']> = {}): void {
  for (const name of remove) {
    store('names').delete(name)
    store('blobs').delete(name)
  }
  for (const { name, kind, bytes } of put) {
    store('names').put({ name, kind, size: bytes.length }, name)
    // A view of a larger buffer would take all of that with it.
    store('blobs').put(bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice(), name)
  }
}

/** Enough notes to save the browser most of its work, few enough to load for a passage of one of them. */
const packSize = 32_000

interface PlannedPack extends PackText {
  entries: Entry[]
  /** Ids of its notes, where one came, changed or went; else their chunks stay as they are. */
  chunksOf?: ReadonlySet<number>
}

type PathsByPack = Map<number, Set<NotePath>>

/** The packs that a batch changes, as they will be. Throws where it cannot be. */
function planPacks(mirror: Mirror, batch: IndexBatch, generation: number): PlannedPack[] {
  checkRows(mirror, batch)
  const { put = [], remove = [], files = [], retarget = [] } = batch
  const stamped = [...put.map(({ note }) => note.path), ...files.map(({ path }) => path)]
  const packs: PathsByPack = new Map()
  for (const path of [...stamped, ...remove, ...retarget.map(({ source }) => source)]) {
    const number = mirror.packOf.get(path)
    if (number !== undefined) pathsOf(mirror, packs, number)
  }
  const sizes = new Map(put.map(({ note }) => [note.path, note.size]))
  addNew(mirror, packs, stamped, sizes)

  const part = partOf(mirror, packs)
  changeRows(part, { ...batch, put: put.map((rows) => ({ ...rows, chunks: [] })) })
  const counts = new Map(put.map(({ note, chunks }) => [note.path, chunks.length]))
  return [...packs].map(([number, paths]) => {
    const entries = [...paths].flatMap((path): Entry[] => {
      const [rows, file] = [part.rows.get(path), part.files.get(path)]
      if (rows === undefined) return file === undefined ? [] : [{ file }]
      const chunks = counts.get(path) ?? mirror.chunkCounts.get(path) ?? 0
      return [{ note: rows.note, links: rows.links, chunks }]
    })
    const text = JSON.stringify(entries)
    const isOther = [...paths].some((path) => counts.has(path) || part.rows.has(path) !== mirror.rows.has(path))
    const ids = new Set(entries.flatMap((entry) => ('note' in entry ? entry.note.id : [])))
    // Parsed again, so that no input is retained, above all no substring that keeps a note's whole text alive.
    return { number, generation, text, entries: entriesIn(text), ...(isOther && { chunksOf: ids }) }
  })
}

function pathsOf(mirror: Mirror, packs: PathsByPack, number: number): Set<NotePath> {
  const known = packs.get(number) ?? new Set(mirror.packs.get(number)?.paths)
  packs.set(number, known)
  return known
}

/** New notes go into the last pack with room. */
function addNew(mirror: Mirror, packs: PathsByPack, paths: readonly NotePath[], sizes: Map<NotePath, number>): void {
  let number = Math.max(0, ...mirror.packs.keys())
  let size = mirror.packs.get(number)?.size ?? packSize
  for (const path of new Set(paths)) {
    if (mirror.packOf.has(path)) continue
    if (size >= packSize) {
      number++
      size = 0
    }
    pathsOf(mirror, packs, number).add(path)
    size += 500 + (sizes.get(path) ?? 0)
  }
}

/** The rows that these packs hold. */
function partOf(mirror: Mirror, packs: PathsByPack): StoreRows {
  const part = emptyRows()
  for (const path of [...packs.values()].flatMap((paths) => [...paths])) {
    const [rows, file] = [mirror.rows.get(path), mirror.files.get(path)]
    if (rows !== undefined) putNote(part, rows)
    if (file !== undefined) part.files.set(path, file)
  }
  return part
}

/** Entry of a pack: a note, whose chunks are stored elsewhere, or another file. */
type Entry = (Pick<StoredNoteRows, 'note' | 'links'> & { chunks: number }) | { file: IndexedFile }

interface Pack {
  /** The generation it was last written in. */
  generation: number
  paths: ReadonlySet<NotePath>
  /** Length of its text. */
  size: number
}

/** All rows in memory, as of one generation, and which pack each is in. */
interface Mirror extends StoreRows {
  generation: number
  /** By note. */
  chunkCounts: Map<NotePath, number>
  packs: Map<number, Pack>
  packOf: Map<NotePath, number>
}

interface PackText {
  number: number
  generation: number
  text: string
}

const emptyMirror = (): Mirror => ({
  ...emptyRows(),
  generation: 0,
  chunkCounts: new Map(),
  packs: new Map(),
  packOf: new Map(),
})

/** Loads packs written since. Queries must wait; the page stays responsive between packs. */
async function takeIn(mirror: Mirror, changed: readonly PackText[]): Promise<void> {
  const pause = yieldToHost(8)
  // All are emptied before one is filled: a path may have moved from one to another.
  for (const { number } of changed) empty(mirror, number)
  for (const pack of changed) {
    fill(mirror, pack, entriesIn(pack.text))
    await pause()
  }
}

function empty(mirror: Mirror, number: number): void {
  for (const path of mirror.packs.get(number)?.paths ?? []) {
    if (mirror.packOf.get(path) !== number) continue
    removeNote(mirror, path)
    mirror.files.delete(path)
    mirror.chunkCounts.delete(path)
    mirror.packOf.delete(path)
  }
}

function fill(mirror: Mirror, { number, generation, text }: PackText, entries: readonly Entry[]): void {
  const paths = new Set<NotePath>()
  for (const entry of entries) {
    const file = 'note' in entry ? indexedFileOf(entry.note) : entry.file
    if ('note' in entry) {
      putNote(mirror, { note: entry.note, links: entry.links, chunks: [] })
      mirror.chunkCounts.set(file.path, entry.chunks)
    }
    mirror.files.set(file.path, file)
    mirror.packOf.set(file.path, number)
    paths.add(file.path)
  }
  mirror.packs.set(number, { generation, paths, size: text.length })
}

function entriesIn(text: string): Entry[] {
  try {
    return JSON.parse(text) as Entry[]
  } catch {
    throw new IndexCorrupt('Rows of the index cannot be read.')
  }
}
