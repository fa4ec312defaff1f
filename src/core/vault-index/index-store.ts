import type { LinkKind } from '../markdown/index.js'
import type { NotePath } from '../vault/index.js'

/** What the index knows of a file on disk, to tell whether it must be read again. */
export interface KnownFile {
  /** Document id for notes; 0 for files that are only names (attachments, canvases). */
  id: number
  path: NotePath
  size: number
  mtimeMs: number
  ctimeMs: number
  hash: string
  /**
   * `indexed` notes are searchable; `name` files are only link targets; `hidden` is a private note: known so that it
   * is not read again and again, and never shown; `skipped` is a note that could not be indexed, `barred` something
   * the listing met that is no file to read, as a folder without permission: `reason` says why.
   */
  state: 'indexed' | 'name' | 'hidden' | 'skipped' | 'barred'
  reason?: string
}

/** Whether links can lead to it. */
export const isName = ({ state }: Pick<KnownFile, 'state'>): boolean => state !== 'hidden' && state !== 'barred'

export interface StoredHeading {
  level: number
  text: string
  line: number
}

export interface StoredNote {
  id: number
  path: NotePath
  title: string
  aliases: string[]
  /** Without `#`, as first written. */
  tags: string[]
  properties: Record<string, unknown> | null
  frontmatterError?: string
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

export interface StoredLink {
  source: NotePath
  /** Where it leads now; null when unresolved or external. */
  target: NotePath | null
  /** Folded file name the link looks for (`linkKey`): the links to look at again when a file of that name comes or goes. */
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
  /** So much from the start is needed by whoever opens it; the rest may be read stretch by stretch. All, when left out. */
  head?: number
}

/** A blob whose head is there, and the rest once it was asked for. */
export interface OpenBlob {
  readonly bytes: Uint8Array
  /** Before a stretch behind the head is looked at. Costs next to nothing when it is there. May throw `IndexCorrupt`. */
  need: (from: number, to: number) => void
}

export interface IndexBatch {
  /** The generation this batch was made on; if the store has moved on, `commit` changes nothing and answers undefined. */
  expect: number
  /** Notes added or replaced (by path), with all their rows. Two notes never share an id. */
  put?: StoredNoteRows[]
  /**
   * Stamps of files: names, hidden, skipped; those of `put` notes are written with them. `indexed` with the id of a
   * stored note gives it a new stamp; any other state takes the rows of a note at that path away.
   */
  files?: KnownFile[]
  /** Paths that are gone: their rows, chunks, links and stamps go. A path that is also put or stamped stays. */
  remove?: NotePath[]
  /** New targets for links already stored. */
  retarget?: { source: NotePath; raw: string; line: number; target: NotePath | null }[]
  blobs?: { put?: StoredBlob[]; remove?: string[] }
  /** The next batch brings more of the same: what is made of all rows together, such as an index, can wait for it. */
  rowsFollow?: boolean
  /** Vectors to show in `chunks.embedding`; the engine itself reads the packed blobs. */
  embeddings?: { model: string; dimension: number; rows: { note: number; ordinal: number; bytes: Uint8Array }[] }
  meta?: Record<string, string>
}

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
  /** `modified` unless told; `any` passes when either date does. */
  dateField?: 'modified' | 'created' | 'any'
}

/**
 * Rows and blobs of one vault's index. A cache: it may be thrown away at any time. Implementations: memory (tests),
 * SQLite (Node), IndexedDB (Obsidian). `test/contracts/index-store/` holds its promises. Any method may throw
 * `IndexCorrupt`; none answers wrongly because a file was damaged. There is no bulk mode: large batches are fast.
 */
export interface IndexStore {
  /** Grows by one with every commit, also by other processes; never the same after `clear`. It need not begin at 0. */
  generation(): Promise<number>
  /** One transaction. Answers the new generation, or undefined when `expect` is no longer the generation. */
  commit(batch: IndexBatch): Promise<number | undefined>
  meta(key: string): Promise<string | undefined>

  /** By path; all, or those in one state. */
  files(state?: KnownFile['state']): Promise<KnownFile[]>
  note(path: NotePath): Promise<StoredNote | undefined>
  /** Those of these paths that are indexed notes, each once, in any order. */
  notesAt(paths: readonly NotePath[]): Promise<StoredNote[]>
  notes(ids: readonly number[]): Promise<Map<number, StoredNote>>
  /** Chunks in the order asked; undefined where there is none. */
  chunks(wanted: readonly { note: number; ordinal: number }[]): Promise<(StoredChunk | undefined)[]>
  /** Ids of indexed notes that pass the filter, ascending. */
  matching(filter: NoteFilter): Promise<Int32Array>
  /** Counted by note whatever the case, in the most used spelling; most used first, then by name. Parents are not added. */
  tags(): Promise<{ tag: string; notes: number }[]>
  /** `links` counts all of them, `unresolved` those that lead nowhere and are not external. */
  counts(): Promise<{ notes: number; chunks: number; links: number; unresolved: number }>

  /** In order of appearance. */
  linksFrom(path: NotePath): Promise<StoredLink[]>
  /** By source path, then line. */
  linksTo(path: NotePath): Promise<StoredLink[]>
  /** Links whose key is one of these; by source path, then line. */
  linksByKey(keys: readonly string[]): Promise<StoredLink[]>
  /** Links that lead nowhere, external ones left out; by source path, then line. */
  unresolved(): Promise<StoredLink[]>
  /** Indexed notes that no other note links to, by path. */
  orphans(): Promise<NotePath[]>

  blobNames(): Promise<{ name: string; kind: StoredBlob['kind']; size: number }[]>
  /** undefined when missing; throws IndexCorrupt when the checksum does not match. */
  blob(name: string): Promise<OpenBlob | undefined>
  /** Takes what was removed out of the files, too. Answers false where somebody reads it still: then try again later. */
  erase(): Promise<boolean>
  /** Throws everything away: the index will be rebuilt. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** The stored index cannot be trusted; the caller clears and rebuilds it. */
export class IndexCorrupt extends Error {
  override readonly name = 'IndexCorrupt'
}
