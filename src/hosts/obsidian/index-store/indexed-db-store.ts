import {
  compareText,
  countRows,
  type IndexBatch,
  IndexCorrupt,
  type IndexStore,
  rowAnswers,
  type StoredBlob,
  type StoredChunk,
} from '../../../core/vault-index/index.js'
import { answerOf, openDatabase, type Stores } from '../database/index.js'
import { empty, emptyMirror, fill, type Mirror, type PackText, takeIn } from './mirror.js'
import { type PlannedPack, planPacks } from './plan-packs.js'

type BlobName = Pick<StoredBlob, 'name' | 'kind'> & { size: number }
type ChunksById = Record<number, StoredChunk[]>

/**
 * `packs` holds rows of some notes in one text, by the generation it was written in and its number, `chunks` what those
 * notes say, by that number; `blobs` the bytes of what `names` lists. A row of its own for each note and its passages
 * took the browser longer than it takes to make them.
 */
const stores = ['state', 'meta', 'packs', 'chunks', 'names', 'blobs'] as const
const version = 2

/**
 * The index in the browser's database. Notes, links and stamps are also kept in memory; when another connection, as the
 * worker's, has gone on, the packs that it has written since are read. Passages and blobs are read when asked for.
 */
export async function indexedDbStore(name: string): Promise<IndexStore> {
  const schema = Object.fromEntries(stores.map((store) => [store, {}]))
  const database = await openDatabase(name, version, schema, { isCache: true })
  let mirror = emptyMirror()

  const generation = () => database.look(['state'], generationIn)

  let queue: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work)
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
    ...rowAnswers(current),
    generation,
    meta: (key) => database.look(['meta'], (store) => answerOf<string | undefined>(store('meta').get(key))),
    commit: (batch) => inTurn(() => commit(batch)),
    async chunks(wanted) {
      const { paths, packOf } = await current()
      const packAt = ({ note }: { note: number }) => packOf.get(paths.get(note)!)
      const numbers = [...new Set(wanted.map(packAt))].filter((number) => number !== undefined)
      const texts = await database.look(['chunks'], (store) =>
        Promise.all(numbers.map((number) => answerOf<string | undefined>(store('chunks').get(number)))),
      )
      const found = new Map(numbers.map((number, at) => [number, chunksIn(texts[at])]))
      return wanted.map((one) => found.get(packAt(one)!)?.[one.note]?.find((chunk) => chunk.ordinal === one.ordinal))
    },
    async counts() {
      const rows = await current()
      const chunks = [...rows.chunkCounts.values()].reduce((sum, count) => sum + count, 0)
      return { ...countRows(rows), chunks }
    },
    async blobNames() {
      const names = await database.look(['names'], (store) => answerOf<BlobName[]>(store('names').getAll()))
      return names.sort((a, b) => compareText(a.name, b.name))
    },
    blob: (wanted) =>
      database.look(['names', 'blobs'], async (store) => {
        const known: BlobName | undefined = await answerOf(store('names').get(wanted))
        if (known === undefined) return undefined
        const bytes: Uint8Array | undefined = await answerOf(store('blobs').get(wanted))
        if (bytes?.length !== known.size) throw new IndexCorrupt(`The index has lost ${wanted}.`)
        return { bytes, need: () => {} }
      }),
    // What is deleted there is gone, as far as a page can tell.
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
  return (await answerOf<number | undefined>(store('state').get('generation'))) ?? 0
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
    answerOf<number | undefined>(store('state').get('begun')),
  ])
  if (generation === seen) return undefined
  const isAll = seen < (begun ?? 0)
  const range = IDBKeyRange.lowerBound([isAll ? 0 : seen + 1])
  const keys = await answerOf<[number, number][]>(store('packs').getAllKeys(range))
  const texts: string[] = []
  // All at once they would come in one long task.
  for (let from = 0; from < keys.length; from += packsAtOnce) {
    const some = keys.slice(from, from + packsAtOnce)
    const found = await answerOf<string[]>(store('packs').getAll(IDBKeyRange.bound(some[0], some[some.length - 1])))
    texts.push(...found)
  }
  const packs = keys.map(([since, number], at) => ({ generation: since, number, text: texts[at] }))
  return { generation, packs, isAll }
}

async function writePack(store: Stores, pack: PlannedPack, before: Mirror, { put = [] }: IndexBatch): Promise<void> {
  const { number, generation, text, chunksOf } = pack
  const known = before.packs.get(number)
  if (known !== undefined) store('packs').delete([known.generation, number])
  store('packs').put(text, [generation, number])
  if (chunksOf === undefined) return
  const kept = known && chunksIn(await answerOf<string | undefined>(store('chunks').get(number)))
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
