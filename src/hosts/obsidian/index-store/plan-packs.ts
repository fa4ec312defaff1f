import type { NotePath } from '../../../core/vault/index.js'
import {
  changeRows,
  checkRows,
  type IndexBatch,
  noRows,
  putNote,
  type StoreRows,
} from '../../../core/vault-index/index.js'
import { type Entry, entriesIn, type Mirror, type PackText } from './mirror.js'

/** Enough notes to spare the browser most of its work, few enough to be read for a passage of one of them. */
const packSize = 32_000

export interface PlannedPack extends PackText {
  entries: Entry[]
  /** Ids of its notes, where one came, changed or went; else their chunks stay as they are. */
  chunksOf?: ReadonlySet<number>
}

type PathsByPack = Map<number, Set<NotePath>>

/** The packs that a batch changes, as they will be. Throws where it cannot be. */
export function planPacks(mirror: Mirror, batch: IndexBatch, generation: number): PlannedPack[] {
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
    // Read back, so that nothing of what was given is kept, above all no note's whole text by a piece of it.
    return { number, generation, text, entries: entriesIn(text), ...(isOther && { chunksOf: ids }) }
  })
}

function pathsOf(mirror: Mirror, packs: PathsByPack, number: number): Set<NotePath> {
  const known = packs.get(number) ?? new Set(mirror.packs.get(number)?.paths)
  packs.set(number, known)
  return known
}

/** What is new goes on where the last pack has room. */
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

/** As much of the rows as these packs hold. */
function partOf(mirror: Mirror, packs: PathsByPack): StoreRows {
  const part = noRows()
  for (const path of [...packs.values()].flatMap((paths) => [...paths])) {
    const [rows, file] = [mirror.rows.get(path), mirror.files.get(path)]
    if (rows !== undefined) putNote(part, rows)
    if (file !== undefined) part.files.set(path, file)
  }
  return part
}
