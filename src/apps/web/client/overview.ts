import type { Mode } from '../../../core/agent/index.js'
import type { ConsentLevel } from '../../../core/approval/index.js'
import type { IndexProgress } from '../../../core/index/index.js'
import type { ProjectRow, SessionSummary } from '../../../core/session/index.js'

/** Response of `/api/overview`. */
export interface Overview {
  vault: string
  /** Path of the vault's folder. */
  folder: string
  model: string
  mode: Mode
  consent: ConsentLevel
  modes: readonly Mode[]
  levels: readonly { level: ConsentLevel; label: string; about: string }[]
  notes: number
  freshness: string
  /** While the notes are read. */
  progress?: IndexingProgress
  /** Result of the recovery at start, if a crash had interrupted a change. */
  recovery?: string
}

export type IndexingProgress = IndexProgress

export type { ProjectRow }

export interface ModelRow {
  model: string
  about: string
}

export type SessionRow = SessionSummary & { running: boolean; passage?: string }
