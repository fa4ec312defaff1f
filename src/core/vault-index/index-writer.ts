import { segmentBuilder } from './engine/index.js'
import type { IndexBatch, IndexStore, StoredNoteRows } from './index-store.js'

/** A note as a run has read it. */
export interface ReadNote extends StoredNoteRows {
  /** Tags and property text: found with the note, shown with no passage. */
  extra: string
}

/** What a run has read, to be written together. */
export interface RunBatch extends Omit<IndexBatch, 'put' | 'blobs'> {
  put: ReadNote[]
  /** Name for a segment of all notes put since the last one. */
  segment?: string
}

/** Takes over what one run reads: rows go into the store, words are gathered into segments, which go there too. */
export interface IndexWriter {
  /** As `IndexStore.commit`. */
  write(batch: RunBatch): Promise<number | undefined>
}

export function indexWriter(store: Pick<IndexStore, 'commit'>): IndexWriter {
  const builder = segmentBuilder()
  return {
    write({ segment, ...batch }) {
      for (const { note, extra, chunks } of batch.put) {
        builder.add({ ...note, extra, chunks: chunks.map(({ content }) => content) })
      }
      if (segment === undefined) return store.commit(batch)
      return store.commit({ ...batch, blobs: { put: [{ name: segment, kind: 'text', bytes: builder.build() }] } })
    },
  }
}
