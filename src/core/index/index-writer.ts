import { type NoteText, segmentBuilder } from './engine/build-segment.js'
import { segmentHead } from './engine/segment-format.js'
import type { IndexBatch, IndexStore, StoredBlob, StoredNoteRows } from './index-store.js'

/** A note read by a run. */
export interface ReadNote extends StoredNoteRows {
  /** Names besides the title and the file name. */
  names: string[]
  /** Tags and property text: searchable, but part of no passage. */
  extra: string
}

/** Notes read by a run, to be written in one transaction. */
export interface RunBatch extends Omit<IndexBatch, 'put' | 'blobs'> {
  put: ReadNote[]
  /** Builds a segment with this name of all notes since the last one. */
  segment?: string | undefined
}

/** Writes the notes of one run: rows, and segments of their words. */
export interface IndexWriter {
  /** Like `IndexStore.commit`. */
  write(batch: RunBatch): Promise<number | undefined>
  /** Preferred amount of text per batch. */
  readonly pieceBytes?: number
  /** Called when the run ends, whether or not it failed. */
  close?(): Promise<void>
}

/** Collects texts and, if a name is given, returns a segment of all texts since the last one. */
type Gather = (
  texts: readonly NoteText[],
  segment: string | undefined,
) => IndexBatch['blobs'] | Promise<IndexBatch['blobs']>

/** `gather` may run in another thread: rows are written meanwhile, and only the segment is awaited. */
export function indexWriter(store: Pick<IndexStore, 'commit'>, gather: Gather = segmentCollector()): IndexWriter {
  let gathering: Promise<unknown> = Promise.resolve()
  return {
    async write({ segment, ...batch }) {
      const texts = batch.put.map(({ note: { id, path, title }, names, extra, chunks }) => {
        return { id, path, title, names, extra, chunks: chunks.map(({ content }) => content) }
      })
      const gathered = texts.length === 0 && segment === undefined ? undefined : gather(texts, segment)
      if (segment === undefined) {
        gathering = Promise.all([gathering, gathered])
        // The write of the segment reports the failure.
        gathering.catch(() => undefined)
        return store.commit(batch)
      }
      await gathering
      return store.commit({ ...batch, blobs: await gathered })
    },
  }
}

export function segmentCollector(): (texts: readonly NoteText[], segment: string | undefined) => IndexBatch['blobs'] {
  const builder = segmentBuilder()
  return (texts, segment) => {
    for (const text of texts) builder.add(text)
    return segment === undefined ? undefined : { put: [segmentBlob(segment, builder.build())] }
  }
}

export function segmentBlob(name: string, bytes: Uint8Array): StoredBlob {
  return { name, kind: 'text', bytes, head: segmentHead(bytes) }
}
