import type { Freshness, SearchAnswer, SearchRequest } from '../../core/vault-index/search-request.js'
import type { LinkKind } from '../../core/markdown/scanned-note.js'
import type { MovePlan } from '../../core/vault-index/links/index.js'
import type { AppliedChangeSet, ChangeSet } from '../../core/vault/change-set.js'
import type { NotePath } from '../../core/vault/note-path.js'
import type { Vault } from '../../core/vault/vault.js'

export interface Progress {
  phase: 'listing' | 'reading' | 'vectors' | 'merging'
  done: number
  total: number
}

export interface UpdateOptions {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** false leaves semantic vectors for later. */
  vectors?: boolean
}

export interface IndexReport {
  notes: number
  chunks: number
  links: number
  skipped: { path: string; reason: string }[]
  /** Everything, vectors included. */
  ms: number
  /** Until search by words and links were ready. */
  lexicalMs: number
  vectorsMs: number
}

export interface NoteLinks {
  path: NotePath
  forward: { target: NotePath | null; raw: string; subpath?: string; kind: LinkKind; line: number }[]
  back: { source: NotePath; raw: string; kind: LinkKind; line: number }[]
}

/** One opened vault with its index and its history. */
export interface Notebook {
  readonly root: string
  readonly vault: Vault
  readonly stateDir: string
  update(options?: UpdateOptions): Promise<IndexReport>
  search(request: SearchRequest): Promise<SearchAnswer>
  freshness(): Promise<Freshness>
  links(path: NotePath): Promise<NoteLinks>
  unresolved(): Promise<{ source: NotePath; raw: string; line: number; kind: LinkKind }[]>
  orphans(): Promise<NotePath[]>
  planMove(from: string, to: string): Promise<MovePlan>
  /** Writes, then brings the index up to date before answering. */
  apply(changeSet: ChangeSet): Promise<AppliedChangeSet>
  close(): Promise<void>
}
