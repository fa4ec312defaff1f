import type { NotePath } from '../../../core/vault/index.js'
import {
  forgetNote,
  IndexCorrupt,
  type KnownFile,
  noRows,
  putNote,
  type StoredNoteRows,
  type StoreRows,
  stampOf,
  yieldToHost,
} from '../../../core/vault-index/index.js'

/** What a pack says of a note, whose chunks lie elsewhere, or of another file. */
export type Entry = (Pick<StoredNoteRows, 'note' | 'links'> & { chunks: number }) | { file: KnownFile }

export interface Pack {
  /** The generation it was last written in. */
  generation: number
  paths: ReadonlySet<NotePath>
  /** Length of its text. */
  size: number
}

/** All rows in memory, as of one generation, and which pack each is in. */
export interface Mirror extends StoreRows {
  generation: number
  /** By note. */
  chunkCounts: Map<NotePath, number>
  packs: Map<number, Pack>
  packOf: Map<NotePath, number>
}

export interface PackText {
  number: number
  generation: number
  text: string
}

export const emptyMirror = (): Mirror => ({
  ...noRows(),
  generation: 0,
  chunkCounts: new Map(),
  packs: new Map(),
  packOf: new Map(),
})

/** Takes in packs that were written since. Nobody may ask meanwhile; the page goes on between two of them. */
export async function takeIn(mirror: Mirror, changed: readonly PackText[]): Promise<void> {
  const pause = yieldToHost(8)
  // All of them are emptied before one is filled: a path may have gone from one to another.
  for (const { number } of changed) empty(mirror, number)
  for (const pack of changed) {
    fill(mirror, pack, entriesIn(pack.text))
    await pause()
  }
}

export function empty(mirror: Mirror, number: number): void {
  for (const path of mirror.packs.get(number)?.paths ?? []) {
    if (mirror.packOf.get(path) !== number) continue
    forgetNote(mirror, path)
    mirror.files.delete(path)
    mirror.chunkCounts.delete(path)
    mirror.packOf.delete(path)
  }
}

export function fill(mirror: Mirror, { number, generation, text }: PackText, entries: readonly Entry[]): void {
  const paths = new Set<NotePath>()
  for (const entry of entries) {
    const file = 'note' in entry ? stampOf(entry.note) : entry.file
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

export function entriesIn(text: string): Entry[] {
  try {
    return JSON.parse(text) as Entry[]
  } catch {
    throw new IndexCorrupt('Rows of the index cannot be read.')
  }
}
