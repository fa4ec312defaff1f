import type { AppliedChangeSet, ChangeSet } from './change-set.js'
import type { NoteEncoding } from './decode-note.js'
import type { HistoryEntry } from './journal-entry.js'
import type { LinkSettings } from './link-settings.js'
import type { ListingSum } from './listing-sum.js'
import type { NotePath } from './note-path.js'
import type { SettleTarget } from './plan-settle.js'
import type { Settle, UndoTarget } from './undo/index.js'

/** What a listing tells of a file without opening it. */
export interface FileStamp {
  path: NotePath
  size: number
  mtimeMs: number
  ctimeMs: number
  /** Why this is no file that could be read: a folder that cannot be opened, a link that is not followed. */
  barred?: string
}

export interface NoteFile extends FileStamp {
  bytes: Uint8Array
  /** Decoded text. With `encoding: 'invalid'` bad sequences read as U+FFFD. A BOM stays in the text. */
  text: string
  /** sha256 of the bytes, lower-case hex. */
  hash: string
  /** Only UTF-8 is ever rewritten. */
  encoding: NoteEncoding
}

/** The door to the person's notes. Hosts implement it; the core never touches a disk. */
export interface Vault {
  /** Stable key of this vault: names its state folder. */
  readonly id: string
  /** Throws while the rules about what may be read cannot be read themselves: then nothing else may be answered. */
  checkRules(): Promise<void>
  /**
   * Every regular file that the path rules and exclusion globs leave, attachments too, sorted by path.
   * Only reading tells that a note is `private: true`, so names to show come from the index, not from here.
   */
  files(signal?: AbortSignal): Promise<FileStamp[]>
  /**
   * Shows the same files as they are met, in no order: to compare a large vault with what is known of it. What keeps
   * it from being complete is shown too, as `barred`.
   */
  eachFile(see: (file: FileStamp) => void, signal?: AbortSignal): Promise<void>
  /** The sum of all these stamps: enough to tell whether anything has changed, and much faster. */
  sum(): Promise<ListingSum>
  /** How links are read and written here, as of now: whether Obsidian has opened this folder, and what it is set to. */
  linkSettings(): Promise<LinkSettings>
  /** The stamp of one file; `undefined` when there is no such regular file or the exclusions hide it. */
  stat(path: NotePath): Promise<FileStamp | undefined>
  /**
   * `undefined` when there is no such note, when it is excluded or private: absence is an answer, not an accident.
   * Throws `path` for what is not a regular file or leads out of the vault, `too-large` above the read limit, `denied`
   * or `internal` where the system does not let this file be read.
   */
  read(path: NotePath): Promise<NoteFile | undefined>
  /**
   * Reads many notes in a row. What notes of one folder share is looked up once, so that it pays to ask for them
   * folder by folder; the answers are those of `read`. `ahead` names what will be asked for, in that order: whoever
   * fetches notes from afar has them on their way.
   */
  reading<T>(work: (read: Vault['read']) => Promise<T>, ahead?: readonly NotePath[]): Promise<T>
  /** Whether no new note may have this name: a private one has it, or the exclusions cover the place, whatever is there. */
  isClosed(path: NotePath): Promise<boolean>
  /** The only way to write: all of it or none of it, and only onto the bytes it was planned from. */
  apply(changes: ChangeSet): Promise<AppliedChangeSet>
  /** Reports paths that may have changed; `undefined` means "something did, look at everything". Returns a stop function. */
  watch(onChange: (path: NotePath | undefined) => void): () => void
}

/** As much of a vault as it takes to index it. */
export type VaultReading = Pick<Vault, 'eachFile' | 'sum' | 'linkSettings' | 'stat' | 'read' | 'reading' | 'isClosed'> &
  Partial<RawReading>

/** A note as it lies there. Whether it is private nobody has looked. */
export interface RawNote extends FileStamp {
  bytes: Uint8Array
}

/** The way for another thread that understands notes itself, so that this one need not. */
export interface RawReading {
  /** Like `reading`, but for what `asNote` does. */
  readingRaw<T>(work: (read: (path: NotePath) => Promise<RawNote | undefined>) => Promise<T>): Promise<T>
}

/** The way to what nobody may see, for a person who moves what it links to. Tools never get it. */
export interface HiddenReading {
  /** Every file that only the exclusion rules keep from sight. */
  excludedFiles(signal?: AbortSignal): Promise<NotePath[]>
  /** Like `read`, also for a note that is excluded or private. */
  readHidden(path: NotePath): Promise<NoteFile | undefined>
}

/** A stretch of a file that may be too large to read at once. */
export interface FilePart {
  path: NotePath
  from: number
  /** Size of the whole file. */
  size: number
  bytes: Uint8Array
}

/** A vault that keeps a journal of what it did, and can take it back. */
export interface JournaledVault extends Vault, HiddenReading {
  /** Like `read`, for any size: at most `bytes` bytes from offset `from`. */
  readPart(path: NotePath, part: { from: number; bytes: number }): Promise<FilePart | undefined>
  /** Newest first. */
  history(): Promise<HistoryEntry[]>
  /**
   * A change set that takes something back, to be shown and then applied like any other (and undone like any other).
   * Later edits of the same notes stay. Where they touch the same lines, `settle` is asked for each place; what it
   * leaves open is a `conflict` with the diff. `not-found` when there is nothing to undo.
   */
  planUndo(target: UndoTarget, settle?: Settle): Promise<ChangeSet>
  /**
   * A change set that decides about notes which an interrupted one has left alone; `history` names them. Without
   * changes where they are kept as they are: applying it writes the decision down.
   */
  planSettle(target: SettleTarget): Promise<ChangeSet>
}
