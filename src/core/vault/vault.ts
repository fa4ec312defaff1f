import type { AppliedChangeSet, ApplyProgress, ChangeSet } from './change-set.js'
import type { HistoryEntry } from './journal.js'
import type { ListingSum } from './listing-sum.js'
import type { NotePath } from './note-path.js'
import type { NoteEncoding } from './note-text.js'
import type { LinkSettings } from './obsidian-settings.js'
import type { ChooseConflict, UndoTarget } from './plan-undo.js'
import type { ResolutionTarget } from './resolve-interrupted.js'

/** A file as a listing shows it, without opening it. */
export interface FileStamp {
  path: NotePath
  size: number
  mtimeMs: number
  ctimeMs: number
  /** Reason it is not a readable file: a folder that cannot be opened, a link that is not followed. */
  barred?: string
}

/** A note as read from the vault. */
export interface NoteFile extends FileStamp {
  bytes: Uint8Array
  /** Decoded text. With `encoding: 'invalid'` bad sequences read as U+FFFD. A BOM stays in the text. */
  text: string
  /** sha256 of the bytes, lower-case hex. */
  hash: string
  /** Only UTF-8 is ever rewritten. */
  encoding: NoteEncoding
}

/** Access to the user's notes. Hosts implement it; the core never touches a disk. */
export interface Vault {
  /** Stable key of this vault: names its state folder. */
  readonly id: string
  /** Throws if the exclusion rules cannot be read: then nothing else may be returned. */
  checkRules(): Promise<void>
  /**
   * Every regular file that the path rules and exclusion globs leave, attachments too, sorted by path.
   * Only reading tells that a note is `private: true`, so names to show come from the index, not from here.
   */
  files(signal?: AbortSignal): Promise<FileStamp[]>
  /**
   * Visits the same files as they are found, in no order: to compare a large vault with its index. Files that could not
   * be read are reported as `barred`.
   */
  eachFile(see: (file: FileStamp) => void, signal?: AbortSignal): Promise<void>
  /** The sum of all these stamps: detects any change, and is much faster than listing. */
  sum(): Promise<ListingSum>
  /** How links are read and written here now: whether Obsidian has opened this folder, and its settings. */
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
   * Reads many notes in a row. Lookups shared by notes of one folder are cached, so reading folder by folder is faster;
   * results equal those of `read`. `ahead` lists upcoming paths in order, so that remote vaults can prefetch them.
   */
  reading<T>(work: (read: Vault['read']) => Promise<T>, ahead?: readonly NotePath[]): Promise<T>
  /**
   * True if no new note may have this name: a private one has it, or exclusions cover the place, whether or not a file
   * exists.
   */
  isClosed(path: NotePath): Promise<boolean>
  /** The only way to write: all or nothing, and only onto the bytes it was planned from. */
  apply(changes: ChangeSet, onProgress?: ApplyProgress): Promise<AppliedChangeSet>
  /** Reports paths that may have changed; `undefined` means "something did, look at everything". Returns a stop function. */
  watch(onChange: (path: NotePath | undefined) => void): () => void
}

/** The part of a vault needed to index it. */
export type VaultReader = Pick<Vault, 'eachFile' | 'sum' | 'linkSettings' | 'stat' | 'read' | 'reading' | 'isClosed'> &
  Partial<RawNoteReader>

/** A note as it is on disk. Its privacy has not been checked. */
export interface RawNote extends FileStamp {
  bytes: Uint8Array
}

/** The way for another thread that understands notes itself, so that this one need not. */
export interface RawNoteReader {
  /** Like `reading`, before `asNote` checks privacy. */
  readingRaw<T>(work: (read: (path: NotePath) => Promise<RawNote | undefined>) => Promise<T>): Promise<T>
}

/** Access to hidden notes, for a user who moves a file they link to. Tools never get it. */
export interface HiddenNoteReader {
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

/** A vault that keeps a journal of its changes, and can undo them. */
export interface JournaledVault extends Vault, HiddenNoteReader {
  /** Like `read`, for any size: at most `bytes` bytes from offset `from`. */
  readPart(path: NotePath, part: { from: number; bytes: number }): Promise<FilePart | undefined>
  /** Newest first. */
  history(): Promise<HistoryEntry[]>
  /**
   * Plans an undo as a change set, to be shown and then applied like any other (and undone like any other). Later edits
   * of the same notes stay. If they touch the same lines, `choose` is called for each place; places it leaves open are a
   * `conflict` with the diff. `not-found` if there is nothing to undo.
   */
  planUndo(target: UndoTarget, choose?: ChooseConflict): Promise<ChangeSet>
  /**
   * A change set that decides about notes which an interrupted one has left alone; `history` names them. Without
   * changes where they are kept as they are: applying it writes the decision down.
   */
  planResolution(target: ResolutionTarget): Promise<ChangeSet>
}
