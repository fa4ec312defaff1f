import type { LinkKind } from '../markdown/index.js'
import type { NotePath } from '../vault/index.js'
import type { IndexProgress } from './catch-up.js'
import type { NoteFilter, StoredLink, StoredNote } from './index-store.js'
import type { MovePlan } from './links/index.js'
import type { RelatedAnswer, RelatedRequest } from './related/related-note.js'
import type { SearchAnswer, SearchRequest } from './search-request.js'

/** What can be asked of an index. Private notes are not in it; for a model, notes it may not read are not either. */
export interface NoteIndex {
  search(request: SearchRequest): Promise<SearchAnswer>
  /**
   * The note someone means by a path, a path without `.md`, or a name only one note has; else `not-found`, or
   * `ambiguous` with candidates.
   */
  find(wanted: string): Promise<StoredNote>
  note(path: NotePath): Promise<StoredNote | undefined>
  /** Those of these paths that are indexed notes, in any order. */
  notesAt(paths: readonly NotePath[]): Promise<StoredNote[]>
  /** Indexed notes that pass the filter, by path. */
  notes(filter?: NoteFilter): Promise<StoredNote[]>
  /** Every visible file, attachments too, by path. */
  files(): Promise<NotePath[]>
  /** Most used first. */
  tags(): Promise<{ tag: string; notes: number }[]>
  /** In order of appearance. */
  linksFrom(path: NotePath): Promise<StoredLink[]>
  /** By source path, then line. */
  linksTo(path: NotePath): Promise<StoredLink[]>
  /** Links that lead nowhere, external ones left out; by source path, then line. */
  unresolved(): Promise<StoredLink[]>
  /** Notes that no other note links to, by path. */
  orphans(): Promise<NotePath[]>
  /** The notes that have most to do with one, each with the reasons; those linked with it left out, unless told. */
  related(request: RelatedRequest, isVisible?: (path: NotePath) => Promise<boolean>): Promise<RelatedAnswer>
  planMove(from: string, to: string, options?: MoveOptions): Promise<MovePlan>
}

export interface MoveOptions {
  session?: string
  signal?: AbortSignal
  /** The person lets links in hidden notes be written anew; they are only counted, unless told. */
  touchesHidden?: boolean
}

/** An index that whoever asks can bring up to date. */
export interface UpdatableIndex extends NoteIndex {
  update(options?: IndexUpdate): Promise<IndexCounts>
}

export interface IndexUpdate {
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
}

export interface IndexCounts {
  notes: number
  /** Of all notes; not told where some are not there for whoever asks. */
  chunks?: number
  links?: number
  skipped: { path: string; reason: string }[]
  ms: number
}

export interface NoteLinks {
  path: NotePath
  forward: { target: NotePath | null; raw: string; subpath?: string; kind: LinkKind; line: number }[]
  back: { source: NotePath; raw: string; kind: LinkKind; line: number }[]
}

/** Both directions of a note's links, without what only the index needs to know of them. */
export async function noteLinks(index: Pick<NoteIndex, 'linksFrom' | 'linksTo'>, path: NotePath): Promise<NoteLinks> {
  const [forward, back] = [await index.linksFrom(path), await index.linksTo(path)]
  return {
    path,
    forward: forward.map(({ target, raw, subpath, kind, line }) => ({
      target,
      raw,
      ...(subpath !== undefined && { subpath }),
      kind,
      line,
    })),
    back: back.map(({ source, raw, kind, line }) => ({ source, raw, kind, line })),
  }
}
