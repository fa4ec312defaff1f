import { type ProjectSetting, projectSetting, projectTexts } from '../config/index.js'
import { findFrontmatter, parseNote } from '../markdown/index.js'
import { scalarText } from '../text/index.js'
import type { NotePath } from '../vault/index.js'
import type { Project } from './project.js'

const lists = ['folders', 'tags', 'notes', 'exclude', 'tools']

/** What a note with `notewright: project` says. One word counts as a list of one; a link to a note names it. */
export function projectInNote(path: NotePath, text: string): Project | undefined {
  const { properties } = parseNote(path, text)
  if (scalarText(properties?.notewright).trim().toLowerCase() !== 'project') return undefined
  const name = path.replace(/^.*\//, '').replace(/\.md$/i, '')
  const faults: string[] = []
  const says: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(projectSetting.shape)) {
    const given = properties?.[key]
    // The text of the note is that already.
    if (given === undefined || given === null || key === 'instructions') continue
    const value = lists.includes(key) ? asList(given) : given
    if (schema.safeParse(value).success) says[key] = value
    else faults.push(`${key} must be ${projectTexts[key as keyof ProjectSetting].expects}`)
  }
  const fence = findFrontmatter(text)
  const body = text.slice(fence?.end ?? 0).trim()
  return { name, note: path, says: { ...says, ...(body !== '' && { instructions: body }) }, faults }
}

function asList(value: unknown): unknown[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.map((item) => (typeof item === 'number' ? `${item}` : item))
}
