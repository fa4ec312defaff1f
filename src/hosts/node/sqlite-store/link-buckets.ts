import { IndexCorrupt } from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { hashText } from './hash-row.js'
import { jsonLines, parsedLines } from './json-rows.js'

// Which notes hold a link to a path, or one that looks for a name: notes are listed by the hash of either, in buckets
// that a few paths or names share, and many buckets are one row. Whoever asks reads the links and leaves out the rest.

const bucketCount = 16384

export const targetBucket = (path: string): number => hashText(path) % bucketCount
export const keyBucket = (key: string): number => bucketCount + (hashText(key) % bucketCount)
/** Notes with a link that leads nowhere. */
export const unresolvedBucket = 2 * bucketCount

const bucketsPerPage = 16
/** Buckets and note ids are below this, so both fit into one number that sorts by bucket first. */
const radix = 2 ** 32

const pageOf = (bucket: number): number => Math.floor(bucket / bucketsPerPage)
const entryOf = (bucket: number, note: number): number => bucket * radix + note

/** Collects changes and writes each touched page once. */
export function bucketChanges(driver: SqliteDriver) {
  const pages = new Map<number, Set<number>>()

  function entries(bucket: number): Set<number> {
    const number = pageOf(bucket)
    let page = pages.get(number)
    if (page === undefined) pages.set(number, (page = new Set(readPage(driver, number))))
    return page
  }

  return {
    add: (bucket: number, note: number) => void entries(bucket).add(entryOf(bucket, note)),
    delete: (bucket: number, note: number) => void entries(bucket).delete(entryOf(bucket, note)),
    save() {
      for (const [number, page] of pages) writePage(driver, number, Float64Array.from(page).sort())
    },
  }
}

export function notesIn(driver: SqliteDriver, bucket: number): number[] {
  const notes: number[] = []
  for (const entry of readPage(driver, pageOf(bucket)))
    if (Math.floor(entry / radix) === bucket) notes.push(entry % radix)
  return notes
}

/** The same before there are pages: by going through all notes. */
export function notesAmongAll(driver: SqliteDriver, bucket: number): number[] {
  const notes: number[] = []
  eachNote(driver, (note, buckets) => {
    if (buckets.includes(bucket)) notes.push(note)
  })
  return notes
}

/** Makes the pages of all notes at once, which is many times faster than keeping them up to date while notes pour in. */
export function fillBuckets(driver: SqliteDriver): void {
  let entries = new Float64Array(1 << 16)
  let count = 0
  eachNote(driver, (note, buckets) => {
    if (count + buckets.length > entries.length) entries = grown(entries, count + buckets.length)
    for (const bucket of buckets) entries[count++] = entryOf(bucket, note)
  })
  const sorted = entries.subarray(0, count).sort()
  for (let start = 0; start < count; ) {
    const page = pageOf(Math.floor(sorted[start] / radix))
    const next = entryOf((page + 1) * bucketsPerPage, 0)
    let end = start
    while (end < count && sorted[end] < next) end++
    writePage(driver, page, sorted.subarray(start, end))
    start = end
  }
}

const notesPerRead = 10_000

function eachNote(driver: SqliteDriver, see: (note: number, buckets: readonly number[]) => void): void {
  let last = -1
  for (;;) {
    const part = `(SELECT id, buckets FROM documents WHERE id > ? AND buckets IS NOT NULL ORDER BY id LIMIT ${notesPerRead})`
    const rows = parsedLines<[number, number[]]>(jsonLines(driver, `'[' || id || ',' || buckets || ']'`, part, [last]))
    for (const [note, buckets] of rows) {
      if (!(note > last) || !Array.isArray(buckets)) throw new IndexCorrupt('The buckets of a note are damaged')
      see(note, buckets)
      last = note
    }
    if (rows.length < notesPerRead) return
  }
}

function grown(entries: Float64Array, least: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(least, entries.length * 2))
  larger.set(entries)
  return larger
}

/** What is not as it was written gives other notes, whose links do not add up to what the bucket is sealed with. */
function readPage(driver: SqliteDriver, number: number): Float64Array {
  const bytes = driver.first('SELECT CAST(notes AS BLOB) AS notes FROM link_buckets WHERE page = ?', [number])?.[0]
  if (!(bytes instanceof Uint8Array)) return new Float64Array(0)
  const entries = new Float64Array(bytes.length >> 3)
  new Uint8Array(entries.buffer).set(bytes.subarray(0, entries.length * 8))
  return entries
}

function writePage(driver: SqliteDriver, number: number, entries: Float64Array): void {
  if (entries.length === 0) {
    driver.run('DELETE FROM link_buckets WHERE page = ?', [number])
  } else {
    const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength)
    driver.run('INSERT OR REPLACE INTO link_buckets (page, notes) VALUES (?, ?)', [number, bytes])
  }
}
