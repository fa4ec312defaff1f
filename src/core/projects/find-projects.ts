import type { Config } from '../config/index.js'
import { Failure } from '../errors.js'
import { nearestName } from '../names/index.js'
import type { ReadableVault } from '../tools/index.js'
import type { NoteIndex, StoredNote } from '../vault-index/index.js'
import type { Project } from './project.js'
import { projectInNote } from './project-in-note.js'

/** Where projects are looked for: as the person's rules let the vault be seen. */
export interface ProjectPlaces {
  index: Pick<NoteIndex, 'notes'>
  vault: Pick<ReadableVault, 'read'>
  settings: Pick<Config, 'projects'>
}

/** Every project of the vault and of the settings, by name. */
export async function listProjects({ index, vault, settings }: ProjectPlaces): Promise<Project[]> {
  const own = Object.entries(settings.projects).map(([name, says]): Project => ({ name, says, faults: [] }))
  const notes = await index.notes({ properties: { notewright: 'project' } })
  const found = await Promise.all(notes.map((note) => readProject(note, vault)))
  return [...own, ...found.flatMap((project) => project ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The project of that name, whatever its case; two of one name are none. */
export async function findProject(wanted: string, places: ProjectPlaces): Promise<Project> {
  const projects = await listProjects(places)
  const same = projects.filter(({ name }) => fold(name) === fold(wanted))
  if (same.length === 1) return same[0]
  if (same.length > 1) {
    const where = same.map(({ note }) => note ?? 'the settings').join(' and ')
    throw new Failure('ambiguous', `There are ${same.length} projects called ${wanted}: in ${where}.`, {
      hint: 'Give one of them another name.',
    })
  }
  const near = nearestName(
    wanted,
    projects.map(({ name }) => name),
  )
  throw new Failure('not-found', `There is no project ${wanted}.`, {
    hint: near === undefined ? 'See which projects there are.' : `Did you mean ${near}?`,
    command: 'notewright projects list',
    data: { ...(near && { near }) },
  })
}

const fold = (name: string): string => name.normalize('NFC').trim().toLowerCase()

/** By the note's own bytes: what the index knows of it may be old. */
async function readProject({ path }: StoredNote, vault: ProjectPlaces['vault']): Promise<Project | undefined> {
  const file = await vault.read(path)
  return file === undefined ? undefined : projectInNote(file.path, file.text)
}
