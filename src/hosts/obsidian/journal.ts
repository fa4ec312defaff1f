import {
  type ContentHash,
  expiredEntries,
  hashBytes,
  type JournalEntry,
  type JournalRow,
  type RecordedEntry,
  type Retention,
  recordRow,
  undecidedSteps,
} from '../../core/vault/index.js'
import { type Database, requestResult } from './database.js'

/** The record of changes and how to undo them. Every row is on disk before its call returns. */
export interface IndexedDbJournal {
  readonly entries: Map<number, RecordedEntry>
  /** Images and intent in one stroke, before anything is touched. */
  begin(entry: Omit<JournalEntry, 'sequence'>, images: Map<ContentHash, Uint8Array>): Promise<JournalEntry>
  add: (row: Exclude<JournalRow, { row: 'intent' }>) => Promise<void>
  image(hash: ContentHash): Promise<Uint8Array | undefined>
  /** Drops entries past the retention. */
  prune: () => Promise<void>
}

/** `images` are files' bytes by their hashes; `rows` as they came. */
export const journalStores = ['rows', 'images'] as const

export async function openJournal(database: Database, retention: Retention = {}): Promise<IndexedDbJournal> {
  const entries = new Map<number, RecordedEntry>()
  const rows = await database.look(['rows'], (store) => requestResult<JournalRow[]>(store('rows').getAll()))
  for (const row of rows) recordRow(entries, row)
  let last = Math.max(0, ...entries.keys())

  async function add(row: JournalRow, images: ReadonlyMap<ContentHash, Uint8Array> = new Map()): Promise<void> {
    await database.change(journalStores, async (store) => {
      for (const [hash, bytes] of images) store('images').put(bytes.slice(), hash)
      store('rows').add(row)
    })
    recordRow(entries, row)
  }

  return {
    entries,
    async begin(entry, images) {
      const whole = { ...entry, sequence: last + 1 }
      await add({ row: 'intent', entry: whole }, images)
      last = whole.sequence
      return whole
    },
    add,
    async image(hash) {
      const bytes = await database.look(['images'], (store) =>
        requestResult<Uint8Array | undefined>(store('images').get(hash)),
      )
      return bytes !== undefined && hashBytes(bytes) === hash ? bytes : undefined
    },
    async prune() {
      const dropped = await database.look(['images'], async (store) => {
        const sizes = await imageSizes(store('images'))
        const kept = [...entries].map(([sequence, recorded]) => ({
          sequence,
          time: recorded.entry.time,
          isOpen: recorded.state === 'open' || undecidedSteps(entries, recorded).length > 0,
          bytes: hashesOf(recorded.entry).reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0),
        }))
        return expiredEntries(kept, retention)
      })
      if (dropped.size === 0) return
      for (const sequence of dropped) entries.delete(sequence)
      const needed = new Set([...entries.values()].flatMap(({ entry }) => hashesOf(entry)))
      await database.change(journalStores, async (store) => {
        await eachRow(store('rows'), (cursor) => {
          const row = cursor.value as JournalRow
          if (dropped.has(row.row === 'intent' ? row.entry.sequence : row.sequence)) cursor.delete()
        })
        for (const hash of await requestResult<ContentHash[]>(store('images').getAllKeys())) {
          if (!needed.has(hash)) store('images').delete(hash)
        }
      })
    },
  }
}

function hashesOf({ steps }: JournalEntry): ContentHash[] {
  return steps.flatMap((step) => {
    if (step.kind === 'rename') return step.hash ?? []
    return [step.before, step.kind === 'write' ? step.after : null].filter((hash) => hash !== null)
  })
}

async function imageSizes(images: IDBObjectStore): Promise<Map<ContentHash, number>> {
  const sizes = new Map<ContentHash, number>()
  await eachRow(images, ({ key, value }) => sizes.set(key as ContentHash, (value as Uint8Array).length))
  return sizes
}

function eachRow(store: IDBObjectStore, see: (cursor: IDBCursorWithValue) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = store.openCursor()
    // `!`: a request that failed has an error.
    request.onerror = () => reject(request.error!)
    request.onsuccess = () => {
      const cursor = request.result
      if (cursor === null) return resolve()
      see(cursor)
      cursor.continue()
    }
  })
}
