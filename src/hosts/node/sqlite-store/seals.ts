import { crc32 } from 'node:zlib'
import { IndexCorrupt } from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { hashText } from './hash-row.js'

/**
 * How answers are proved. For each way of asking, a number that the hashes of all rows of an answer must add up to:
 * a damaged row, a row that an index no longer finds and a row from an older time all give another sum.
 */
export interface Seals {
  get(space: SealSpace, index: number): number
  set(space: SealSpace, index: number, value: number): void
  add(space: SealSpace, index: number, hash: number): void
  /** Writes what changed; answers the digest of all pages, which the store's state keeps. */
  save(driver: SqliteDriver): number
}

export type SealSpace = keyof typeof spaces

const spaces = {
  /** By document id: hash of the note's row. */
  note: 0,
  /** By document id: hash of its links. */
  links: 1,
  /** By document id: how many chunks it has. */
  chunkCount: 2,
  /** By document id: what its chunks' hashes start from, so that an older note's chunks do not pass. */
  chunkSalt: 3,
  /** By bucket: sum of the link hashes of its notes. */
  bucket: 4,
  /** By page of facets. */
  facets: 5,
}

const wordsPerPage = 1024
const pagesPerSpace = 2 ** 32

interface Page {
  words: Uint32Array
  hash: number
  isDirty: boolean
}

export function loadSeals(driver: SqliteDriver, digest: number): Seals {
  const pages = Object.values(spaces).map(() => new Map<number, Page>())
  let sum = 0
  for (const [id, bytes] of driver.all('SELECT CAST(id AS INTEGER) AS id, CAST(words AS BLOB) AS words FROM seals')) {
    const space = pages[Math.floor(Number(id) / pagesPerSpace)]
    if (space === undefined || !(bytes instanceof Uint8Array) || bytes.length !== wordsPerPage * 4) {
      throw new IndexCorrupt('A page of seals is damaged')
    }
    const words = new Uint32Array(wordsPerPage)
    new Uint8Array(words.buffer).set(bytes)
    const hash = hashPage(Number(id), words)
    space.set(Number(id) % pagesPerSpace, { words, hash, isDirty: false })
    sum = (sum + hash) >>> 0
  }
  if (sum !== digest) throw new IndexCorrupt('The seals do not add up')

  function writable(space: SealSpace, number: number): Page {
    const inSpace = pages[spaces[space]]
    let page = inSpace.get(number)
    if (page === undefined)
      inSpace.set(number, (page = { words: new Uint32Array(wordsPerPage), hash: 0, isDirty: true }))
    page.isDirty = true
    return page
  }

  function save(target: SqliteDriver): number {
    for (const [space, inSpace] of pages.entries()) {
      for (const [number, page] of inSpace) {
        if (!page.isDirty) continue
        const id = space * pagesPerSpace + number
        sum = (sum - page.hash) >>> 0
        if (page.words.every((word) => word === 0)) {
          target.run('DELETE FROM seals WHERE id = ?', [id])
          inSpace.delete(number)
          continue
        }
        target.run('INSERT OR REPLACE INTO seals (id, words) VALUES (?, ?)', [id, Buffer.from(page.words.buffer)])
        page.hash = hashPage(id, page.words)
        page.isDirty = false
        sum = (sum + page.hash) >>> 0
      }
    }
    return sum
  }

  return {
    get: (space, index) => pages[spaces[space]].get(Math.floor(index / wordsPerPage))?.words[index % wordsPerPage] ?? 0,
    set(space, index, value) {
      writable(space, Math.floor(index / wordsPerPage)).words[index % wordsPerPage] = value
    },
    add(space, index, hash) {
      // Typed arrays wrap around by themselves.
      writable(space, Math.floor(index / wordsPerPage)).words[index % wordsPerPage] += hash
    },
    save,
  }
}

const hashPage = (id: number, words: Uint32Array): number => crc32(Buffer.from(words.buffer), hashText(`${id}`))
