import type { AgentEvent } from '../../agent/index.js'
import type { Panel } from '../../approval/index.js'

/** What is known of a session without its events. Grows with each of them. */
export interface SessionAbout {
  turns: number
  model: string
  project?: string
  /** Ids of calls that nobody has decided about yet. */
  waiting: readonly string[]
  /** In US dollars; null once something was used whose price nobody knows, absent before anything was. */
  cost?: number | null
}

export const newSession: SessionAbout = { turns: 0, model: '', waiting: [] }

export function afterEvent(about: SessionAbout, event: AgentEvent): SessionAbout {
  switch (event.type) {
    case 'run-start':
      return { ...about, model: event.model, turns: about.turns + (event.continues ? 0 : 1), waiting: [] }
    case 'approval-asked':
      return { ...about, waiting: [...about.waiting, ...idsIn(event.panel)] }
    case 'approval-decided':
      return { ...about, waiting: about.waiting.filter((id) => id !== event.id) }
    case 'run-end':
      return about.waiting.length === 0 ? about : { ...about, waiting: [] }
    default:
      return about
  }
}

/** Once a part of a sum is not known, the sum is not. */
export function addCost(sum: number | null | undefined, more: number | null): number | null {
  return sum === null || more === null ? null : (sum ?? 0) + more
}

const idsIn = (panel: Panel): string[] => (panel.kind === 'batch' ? panel.requests.map(({ id }) => id) : [panel.id])
