import type { ContentHash } from '../change-set.js'
import type { DamagedRow } from '../damaged-row.js'
import type { RecordedEntry } from '../journal-entry.js'
import type { NotePath } from '../note-path.js'

/** What an undo is planned from. */
export interface UndoSource {
  entries: Map<number, RecordedEntry>
  /** Rows of the journal that cannot be read. */
  damaged?: readonly DamagedRow[]
  /** The file as it is now, spelled as on the disk; undefined when there is none. */
  current(path: NotePath): Promise<{ path: NotePath; bytes: Uint8Array; hash: ContentHash } | undefined>
  /** What a file was before an entry, or what the entry made of it; undefined when the journal does not have it. */
  image(entry: number, hash: ContentHash): Promise<Uint8Array | undefined>
  hash(bytes: Uint8Array): ContentHash
}
