import type { SessionAbout } from './session-about.js'
import type { SessionSummary } from './session-store.js'

export function summaryOf(
  { turns, model, project, waiting, cost = null }: SessionAbout,
  row: Pick<SessionSummary, 'id' | 'title' | 'createdAt' | 'updatedAt' | 'bytes'>,
): SessionSummary {
  const { id, title, createdAt, updatedAt, bytes } = row
  const about = { turns, model, ...(project !== undefined && { project }), waiting: waiting.length, cost }
  return { id, title, createdAt, updatedAt, ...about, bytes }
}
