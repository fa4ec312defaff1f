import type { LinkKind } from '../markdown/index.js'
import type { NotePath } from '../vault/index.js'

/** A file known to the index, with its stamp. */
export interface IndexedFile {
  /** Document id for notes; 0 for files that are only names (attachments, canvases). */
  id: number
  path: NotePath
  size: number
  mtimeMs: number
  ctimeMs: number
  hash: string
  /**
   * `indexed` notes are searchable; `name` files are only link targets; `hidden` is a private note, known so that it
   * is not read again, and never shown; `skipped` is a note that could not be indexed; `barred` is an entry that could
   * not be listed, like a folder without permission. `reason` says why.
   */
  state: 'indexed' | 'name' | 'hidden' | 'skipped' | 'barred'
  reason?: string
}

/** True if links can lead to the file. */
export const isLinkTarget = ({ state }: Pick<IndexedFile, 'state'>): boolean => state !== 'hidden' && state !== 'barred'

interface StoredHeading {
  level: number
  text: string
  line: number
}

/** A note in the index, without its text. */
export interface StoredNote {
  id: number
  path: NotePath
  title: string
  aliases: string[]
  /** Without `#`, as first written. */
  tags: string[]
  properties: Record<string, unknown> | null
  frontmatterError?: string | undefined
  headings: StoredHeading[]
  blocks: { id: string; line: number }[]
  size: number
  mtimeMs: number
  ctimeMs: number
  /** Frontmatter date, else daily-note name, else ctime; milliseconds. */
  createdMs: number
  hash: string
}

export interface StoredChunk {
  ordinal: number
  heading: string
  /** 1-based, inclusive. */
  lines: [number, number]
  start: number
  end: number
  content: string
}

/** A link in the index. */
export interface StoredLink {
  source: NotePath
  /** The target; null if unresolved or external. */
  target: NotePath | null
  /**
   * The folded file name that the link looks for (`linkKey`), to find affected links when such a file is added or
   * removed.
   */
  key: string
  raw: string
  /** Display text, else the target as written: what seed 004 calls link_text. */
  text: string
  subpath?: string
  kind: LinkKind
  line: number
  /** Path part as the author wrote it, decoded: enough to resolve the link again without reading the note. */
  written: string
}

export interface StoredNoteRows {
  note: StoredNote
  chunks: StoredChunk[]
  links: StoredLink[]
}

/** An immutable blob of the search engine: a text segment, its vectors, a semantic model. */
export interface StoredBlob {
  /** Unique name, e.g. `text-12`, `vectors-12-lsa3`, `model-lsa3`. */
  name: string
  kind: 'text' | 'vectors' | 'model'
  bytes: Uint8Array
  /** Bytes from the start that opening needs; the rest may be read on demand. All, if absent. */
  head?: number
}

/** A blob with its head loaded; the rest is loaded by `need`. */
export interface OpenBlob {
  readonly bytes: Uint8Array
  /** Loads a range after the head, before it is read. Cheap if it is loaded. May throw `IndexCorrupt`. */
  need: (from: number, to: number) => void
}

/** Rows and blobs that a store writes in one transaction. */
export interface IndexBatch {
  /** The generation this batch is based on; if it is outdated, `commit` changes nothing and returns undefined. */
  expect: number
  /** Notes added or replaced (by path), with all their rows. Two notes never share an id. */
  put?: StoredNoteRows[] | undefined
  /**
   * Stamps of files: names, hidden, skipped; those of `put` notes are written with them. `indexed` with the id of a
   * stored note updates its stamp; any other state removes the rows of a note at that path.
   */
  files?: IndexedFile[] | undefined
  /** Removed paths, with their rows, chunks, links and stamps. A path that is also put or stamped stays. */
  remove?: NotePath[]
  /** New targets for links already stored. */
  retarget?: { source: NotePath; raw: string; line: number; target: NotePath | null }[]
  blobs?: { put?: StoredBlob[]; remove?: string[] } | undefined
  /** More batches follow: work on all rows together, such as creating an index, can wait. */
  rowsFollow?: boolean | undefined
  /** Vectors to show in `chunks.embedding`; the engine itself reads the packed blobs. */
  embeddings?: { model: string; dimension: number; rows: { note: number; ordinal: number; bytes: Uint8Array }[] }
  meta?: Record<string, string>
}

/** Restricts notes by tags, folder, properties and dates. */
export interface NoteFilter {
  /** All must match; hierarchical and case-insensitive: `project` matches `project/beta`. */
  tags?: string[]
  /** None may match. */
  notTags?: string[]
  /** Each must be a part of the note's path, whatever the case. */
  paths?: string[]
  notPaths?: string[]
  /** Only these. */
  among?: ReadonlySet<NotePath>
  /** Vault-relative folder, no slash at the end; matches everything below it. */
  folder?: string
  /** Property name to wanted value (compared as text, whatever the case; lists match by any member). */
  properties?: Record<string, string>
  afterMs?: number
  /** Exclusive end. */
  beforeMs?: number
  /** Default `modified`; `any` passes if either date does. */
  dateField?: 'modified' | 'created' | 'any'
}

/**
 * Rows and blobs of one vault's index. A cache: it may be cleared at any time. Implementations: memory (tests), SQLite
 * (Node), IndexedDB (Obsidian); their contract is `test/contracts/index-store/`. Any method may throw `IndexCorrupt`;
 * none returns wrong data because a file is damaged. There is no bulk mode: large batches are fast.
 */
export interface IndexStore {
  /**
   * Increases by one with every commit, also of other processes; never repeats after `clear`. It need not start at 0.
   */
  generation(): Promise<number>
  /** One transaction. Returns the new generation, or undefined if `expect` is outdated. */
  commit(batch: IndexBatch): Promise<number | undefined>
  meta(key: string): Promise<string | undefined>

  /** By path; all, or those in one state. */
  files(state?: IndexedFile['state']): Promise<IndexedFile[]>
  note(path: NotePath): Promise<StoredNote | undefined>
  /** Those of these paths that are indexed notes, each once, in any order. */
  notesAt(paths: readonly NotePath[]): Promise<StoredNote[]>
  notes(ids: readonly number[]): Promise<Map<number, StoredNote>>
  /** Chunks in the requested order; undefined for missing ones. */
  chunks(wanted: readonly { note: number; ordinal: number }[]): Promise<(StoredChunk | undefined)[]>
  /** Ids of indexed notes that pass the filter, ascending. */
  matching(filter: NoteFilter): Promise<Int32Array>
  /** Counted by note whatever the case, in the most used spelling; most used first, then by name. Parents are not added. */
  tags(): Promise<{ tag: string; notes: number }[]>
  /** `links` counts all links, `unresolved` those without a target that are not external. */
  counts(): Promise<{ notes: number; chunks: number; links: number; unresolved: number }>

  /** In order of appearance. */
  linksFrom(path: NotePath): Promise<StoredLink[]>
  /** By source path, then line. */
  linksTo(path: NotePath): Promise<StoredLink[]>
  /** Links whose key is one of these; by source path, then line. */
  linksByKey(keys: readonly string[]): Promise<StoredLink[]>
  /** Unresolved links, without external ones; by source path, then line. */
  unresolved(): Promise<StoredLink[]>
  /** Indexed notes that no other note links to, by path. */
  orphans(): Promise<NotePath[]>

  blobNames(): Promise<{ name: string; kind: StoredBlob['kind']; size: number }[]>
  /** undefined if missing; throws IndexCorrupt if the checksum does not match. */
  blob(name: string): Promise<OpenBlob | undefined>
  /** Erases removed data from the files, too. Returns false while another process reads it: then try again later. */
  erase(): Promise<boolean>
  /** Removes everything: the index will be rebuilt. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** The stored index cannot be trusted; the caller clears and rebuilds it. */
export class IndexCorrupt extends Error {
  override readonly name = 'IndexCorrupt'
}
