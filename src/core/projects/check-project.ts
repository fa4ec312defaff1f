import { Failure } from '../errors.js'
import { nearestName } from '../names/index.js'
import { foldPath } from '../vault/index.js'
import type { NoteIndex } from '../vault-index/index.js'
import type { Project } from './project.js'
import { type PersonsWay, projectWishes } from './project-wishes.js'
import { withoutBrackets } from './scope-rule.js'

export interface ProjectFinding {
  /** `wrong`: it cannot be opened, or does not mean what it says. `ignored`: it asks for more than a note may. */
  kind: 'wrong' | 'ignored'
  text: string
}

export interface CheckPlaces {
  index: Pick<NoteIndex, 'find' | 'files' | 'tags'>
  way: PersonsWay
  /** Every tool there is. */
  toolNames: readonly string[]
}

/** All that is wrong with a project, where its words lead nowhere too. */
export async function checkProject(
  project: Project,
  { index, way, toolNames }: CheckPlaces,
): Promise<ProjectFinding[]> {
  const { folders = [], tags = [], notes = [], tools = [], guidance = {} } = project.says
  const wrong = [...project.faults]
  const known = foldersOf(await index.files())
  for (const folder of folders) {
    const plain = folder.replace(/^\/+|\/+$/g, '')
    if (!known.some((each) => foldPath(each) === foldPath(plain)))
      wrong.push(`there is no folder ${folder}${near(plain, known)}`)
  }
  const carried = (await index.tags()).map(({ tag }) => tag.toLowerCase())
  for (const tag of tags) {
    const plain = tag.replace(/^#/, '').toLowerCase()
    if (!carried.some((each) => each === plain || each.startsWith(`${plain}/`))) {
      wrong.push(`no note has the tag ${tag}${near(plain, carried)}`)
    }
  }
  for (const note of notes) wrong.push(...(await noteFault(note, index)))
  for (const tool of [...tools, ...Object.keys(guidance)]) {
    if (!toolNames.includes(tool)) wrong.push(`there is no tool ${tool}${near(tool, toolNames)}`)
  }
  return [
    ...wrong.map((text): ProjectFinding => ({ kind: 'wrong', text })),
    ...projectWishes(project, way).notices.map((text): ProjectFinding => ({ kind: 'ignored', text })),
  ]
}

async function noteFault(note: string, index: Pick<NoteIndex, 'find'>): Promise<string[]> {
  try {
    await index.find(withoutBrackets(note))
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [[error.message, error.details.hint].filter(Boolean).join(' ')]
  }
}

function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of files) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))
  }
  return [...folders]
}

function near(wanted: string, names: readonly string[]): string {
  const name = nearestName(wanted, names)
  return name === undefined ? '' : `; did you mean ${name}?`
}
