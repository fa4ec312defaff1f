import type { LinkKind } from '../markdown/index.js'
import type { Change, LinkReading, NotePath } from '../vault/index.js'
import type { NoteFilter, StoredLink, StoredNote } from './index-store.js'
import type { IndexProgress } from './index-view.js'
import type { MoveImpact, MovePlan } from './links/plan-move.js'
import type { LinkRepair, RepairPlan } from './links/repair-links.js'
import type { Restructure, RestructurePlan } from './links/restructure.js'
import type { RelatedAnswer, RelatedRequest } from './related.js'
import type { SearchAnswer, SearchRequest } from './search.js'

/** The queries of an index. It does not contain private notes; for a model, nor notes it may not read. */
export interface NoteIndex {
  search(request: SearchRequest): Promise<SearchAnswer>
  /**
   * The note for a path, a path without `.md`, a name or an alias, ignoring case; otherwise fails with `not-found`, or
   * `ambiguous` with candidates. Every command and tool that takes a note uses this.
   */
  find: (wanted: string) => Promise<StoredNote>
  note: (path: NotePath) => Promise<StoredNote | undefined>
  /** Those of these paths that are indexed notes, in any order. */
  notesAt: (paths: readonly NotePath[]) => Promise<StoredNote[]>
  /** Indexed notes that pass the filter, by path. */
  notes: (filter?: NoteFilter) => Promise<StoredNote[]>
  /** Every visible file, attachments too, by path. */
  files: () => Promise<NotePath[]>
  /** Most used first. */
  tags: () => Promise<{ tag: string; notes: number }[]>
  /** In order of appearance. */
  linksFrom: (path: NotePath) => Promise<StoredLink[]>
  /** The links of all notes, by source path; those of a note in order of appearance. */
  links: (signal?: AbortSignal) => Promise<StoredLink[]>
  /** By source path, then line. */
  linksTo: (path: NotePath) => Promise<StoredLink[]>
  /** Unresolved links, without external ones; by source path, then line. */
  unresolved: () => Promise<StoredLink[]>
  /** Notes that no other note links to, by path. */
  orphans: () => Promise<NotePath[]>
  /** The notes most related to one, each with reasons; linked ones are left out by default. */
  related: (request: RelatedRequest, isVisible?: (path: NotePath) => Promise<boolean>) => Promise<RelatedAnswer>
  planMove: (from: string, to: string, options?: MoveOptions) => Promise<MovePlan>
  /** Plans several moves as one change. Each note is given by its path, each new path is free. */
  planMoves: (moves: ReadonlyMap<NotePath, NotePath>, options?: MovesOptions) => Promise<MovesPlan>
  /** The rules by which links are resolved: Obsidian's, or those of plain Markdown. */
  linkReading: () => Promise<LinkReading>
  /** Plans changes of single links as one change. */
  planRepairs: (repairs: readonly LinkRepair[], options?: Omit<MovesOptions, 'touchesHidden'>) => Promise<RepairPlan>
  /** Plans the links of all notes for notes whose text is rearranged. */
  planRestructure: (wanted: Restructure, options?: Omit<MoveOptions, 'session'>) => Promise<RestructurePlan>
}

interface MoveOptions {
  session?: string
  signal?: AbortSignal
  /** The user allows rewriting links in hidden notes; by default they are only counted. */
  touchesHidden?: boolean | undefined
}

interface MovesOptions extends Omit<MoveOptions, 'session'> {
  /** New text of notes that the same change edits, by their current path. Their links are updated in it. */
  texts?: ReadonlyMap<NotePath, string>
}

/** The steps of several moves, and their effect on links. */
export interface MovesPlan {
  changes: Change[]
  impact: MoveImpact
}

/** An index that callers can update. */
export interface UpdatableIndex extends NoteIndex {
  update(options?: IndexUpdate): Promise<IndexCounts>
}

export interface IndexUpdate {
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
}

export interface IndexCounts {
  notes: number
  /** Counts of all notes; absent if some notes are hidden from the caller. */
  chunks?: number
  links?: number
  skipped: { path: string; reason: string }[]
  ms: number
}

/** The links of a note in both directions. */
export interface NoteLinks {
  path: NotePath
  forward: { target: NotePath | null; raw: string; subpath?: string; kind: LinkKind; line: number }[]
  back: { source: NotePath; raw: string; kind: LinkKind; line: number }[]
}

/** A note's links in both directions, without internal fields. */
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
