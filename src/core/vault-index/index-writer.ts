import { type NoteText, segmentBuilder, segmentHead } from './engine/index.js'
import type { IndexBatch, IndexStore, StoredBlob, StoredNoteRows } from './index-store.js'

/** A note as a run has read it. */
export interface ReadNote extends StoredNoteRows {
  /** What it is called beside its title and its file's name. */
  names: string[]
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
  /** How much text it likes to get at a time. */
  readonly pieceBytes?: number
  /** When the run is over, however it went. */
  close?(): Promise<void>
}

/** Takes in texts and, where a name is given, answers a segment of all that came since the last. */
type Gather = (
  texts: readonly NoteText[],
  segment: string | undefined,
) => IndexBatch['blobs'] | Promise<IndexBatch['blobs']>

/** `gather` may do its work in another thread: rows are written meanwhile, and only the segment is waited for. */
export function indexWriter(store: Pick<IndexStore, 'commit'>, gather: Gather = segmentGatherer()): IndexWriter {
  let gathering: Promise<unknown> = Promise.resolve()
  return {
    async write({ segment, ...batch }) {
      const texts = batch.put.map(({ note: { id, path, title }, names, extra, chunks }) => {
        return { id, path, title, names, extra, chunks: chunks.map(({ content }) => content) }
      })
      const gathered = texts.length === 0 && segment === undefined ? undefined : gather(texts, segment)
      if (segment === undefined) {
        gathering = Promise.all([gathering, gathered])
        // Whoever waits for the segment hears of a failure.
        gathering.catch(() => undefined)
        return store.commit(batch)
      }
      await gathering
      return store.commit({ ...batch, blobs: await gathered })
    },
  }
}

export function segmentGatherer(): (texts: readonly NoteText[], segment: string | undefined) => IndexBatch['blobs'] {
  const builder = segmentBuilder()
  return (texts, segment) => {
    for (const text of texts) builder.add(text)
    return segment === undefined ? undefined : { put: [segmentBlob(segment, builder.build())] }
  }
}

export function segmentBlob(name: string, bytes: Uint8Array): StoredBlob {
  return { name, kind: 'text', bytes, head: segmentHead(bytes) }
}
