import { screenNotes } from '../approval/index.js'
import { Failure } from '../errors.js'
import { listProjects, type Project, scopeRule } from '../projects/index.js'
import type { OpenedVault } from './opened-vault.js'
import type { Session } from './session.js'

/** A project in a list. */
export interface ProjectRow {
  name: string
  /** The note that makes it, or `settings`. */
  from: string
  notes: number
  /** Why it cannot be opened. */
  wrong?: string
}

export async function projectRows(vault: OpenedVault, session: Session): Promise<ProjectRow[]> {
  const projects = await listProjects(projectPlaces(vault, session))
  return Promise.all(
    projects.map(async (project) => {
      const { notes, wrong } = await projectNotes(project, vault, session)
      return { name: project.name, from: project.note ?? 'settings', notes: notes.length, ...(wrong && { wrong }) }
    }),
  )
}

/** Where projects are looked for: as the person's own rules let the vault be seen. */
export function projectPlaces({ notebook, settings }: OpenedVault, { guard }: Session) {
  const own = guard.rules().filter(({ from }) => from !== 'project')
  return { ...screenNotes({ vault: notebook.vault, index: notebook.index }, own), settings }
}

/** The notes of a project by path, or why it cannot be opened. */
export async function projectNotes(
  project: Project,
  vault: OpenedVault,
  session: Session,
): Promise<{ notes: string[]; wrong?: string }> {
  const places = projectPlaces(vault, session)
  try {
    const rule = await scopeRule(project, places.index)
    const { index } = screenNotes(places, [...session.guard.rules(), rule])
    return { notes: (await index.notes()).map(({ path }) => path) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { notes: [], wrong: error.message }
  }
}
