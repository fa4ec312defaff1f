import { type Rule, screenNotes } from '../approval/index.js'
import { findProject, type Project, type ProjectWishes, projectWishes, scopeRule } from '../projects/index.js'
import type { Toolset } from '../tools/index.js'
import type { SessionParts } from './session-parts.js'

/** The project a session is in, as it was looked up last. */
export interface OpenedProject {
  project: Project
  /** Denies all that is outside of it. */
  rule: Rule
  wishes: ProjectWishes
}

/** Looks a session's project up: its note may have changed since the turn before. */
export async function openProject(
  { vault, project, way }: Pick<SessionParts, 'vault' | 'project' | 'way'>,
  rules: readonly Rule[],
  tools: Toolset,
): Promise<OpenedProject | undefined> {
  if (project === undefined) return undefined
  const { settings, notebook } = vault
  const seen = screenNotes({ vault: notebook.vault, index: notebook.index }, rules)
  const found = await findProject(project, { ...seen, settings })
  const rule = await scopeRule(found, seen.index)
  return { project: found, rule, wishes: projectWishes(found, { ...way, tools: tools.names }) }
}
