import { crc32 } from 'node:zlib'
import type { NotePath } from '../../../core/vault/index.js'
import type { NoteFacts } from '../../../core/vault-index/index.js'
import { IndexCorrupt } from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { jsonRows } from './json-rows.js'
import type { Seals } from './seals.js'

/** What filters look at, many notes to a row, so that going through all of them is a few reads. */
const notesPerPage = 128

type PackedFacts = [
  id: number,
  path: string,
  mtimeMs: number,
  createdMs: number,
  tags: string[],
  properties: Record<string, string[]>,
]

/** A note's entry on its page. */
export function factsText({ id, path, mtimeMs, createdMs, tags, properties }: NoteFacts): string {
  const packed: PackedFacts = [id, path, mtimeMs, createdMs, tags, properties]
  return JSON.stringify(packed)
}

export function allFacts(driver: SqliteDriver, seals: Seals, notes: number): NoteFacts[] {
  const facts: NoteFacts[] = []
  for (const [page, text] of jsonRows<[number, string]>(driver, 'page, notes', 'facets')) {
    for (const [id, path, mtimeMs, createdMs, tags, properties] of provenPage(seals, page, text)) {
      facts.push({ id, path: path as NotePath, mtimeMs, createdMs, tags, properties })
    }
  }
  if (facts.length !== notes) throw new IndexCorrupt('Facets of some notes are missing')
  return facts
}

/** Collects changes to facets and writes each touched page once. */
export function facetChanges(driver: SqliteDriver, seals: Seals) {
  const pages = new Map<number, Map<number, string>>()

  function page(id: number): Map<number, string> {
    const number = Math.floor(id / notesPerPage)
    let notes = pages.get(number)
    if (notes === undefined) pages.set(number, (notes = load(number)))
    return notes
  }

  function load(number: number): Map<number, string> {
    if (seals.get('facets', number) === 0) return new Map()
    const [row] = jsonRows<[number, string]>(driver, 'page, notes', 'facets WHERE page = ?', [number])
    if (row === undefined) throw new IndexCorrupt('A page of facets is missing')
    return new Map(provenPage(seals, number, row[1]).map((packed) => [packed[0], JSON.stringify(packed)]))
  }

  return {
    set: (id: number, text: string) => void page(id).set(id, text),
    delete: (id: number) => void page(id).delete(id),
    save() {
      for (const [number, notes] of pages) {
        if (notes.size === 0) {
          driver.run('DELETE FROM facets WHERE page = ?', [number])
          seals.set('facets', number, 0)
          continue
        }
        const text = `[${[...notes.values()].join()}]`
        driver.run('INSERT OR REPLACE INTO facets (page, notes) VALUES (?, ?)', [number, text])
        seals.set('facets', number, hashPage(text))
      }
    },
  }
}

function provenPage(seals: Seals, page: number, text: string): PackedFacts[] {
  if (typeof text !== 'string' || hashPage(text) !== seals.get('facets', page)) {
    throw new IndexCorrupt('A page of facets is damaged')
  }
  return JSON.parse(text) as PackedFacts[]
}

/** Never 0, which means that there is no page. */
const hashPage = (text: string): number => crc32(text) || 1
