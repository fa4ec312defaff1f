import type { Mode } from '../../../core/agent/index.js'
import type { ConsentLevel } from '../../../core/approval/index.js'
import type { SessionSummary } from '../../../core/session/index.js'

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
}

export interface ModelRow {
  model: string
  about: string
}

export type SessionRow = SessionSummary & { running: boolean; passage?: string }
