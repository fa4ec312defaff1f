import type { Mode } from '../../../core/agent/index.js'
import type { ConsentLevel } from '../../../core/approval/index.js'
import type { ProjectRow, SessionSummary } from '../../../core/session/index.js'
import type { IndexProgress } from '../../../core/vault-index/index.js'

/** What `/api/overview` answers. */
export interface Overview {
  vault: string
  model: string
  mode: Mode
  consent: ConsentLevel
  modes: readonly Mode[]
  levels: readonly { level: ConsentLevel; about: string }[]
  notes: number
  freshness: string
  /** While the notes are read. */
  progress?: Progress
}

export type Progress = IndexProgress

export type { ProjectRow }

export interface ModelRow {
  model: string
  about: string
}

export type SessionRow = SessionSummary & { running: boolean; passage?: string }
