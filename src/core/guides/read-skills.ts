import { Failure } from '../errors.js'
import { findFrontmatter, readFrontmatter } from '../markdown/index.js'
import { scalarText } from '../text/index.js'
import type { GuideFolder } from './guide-folder.js'
import type { Skill } from './skill.js'

const mostSkills = 50
// As https://agentskills.io/specification has them.
const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const longestName = 64
const longestDescription = 1024

/** The skills in these folders, by name; of two of one name the first counts. What is wrong with one is told. */
export async function readSkills(folders: readonly GuideFolder[], onTrouble: (text: string) => void): Promise<Skill[]> {
  const skills = new Map<string, Skill>()
  for (const folder of folders.filter(({ kind }) => kind === 'skills')) {
    for (const name of await folder.list()) {
      if (skills.size >= mostSkills) break
      const skill = await readSkill(folder, name).catch((error) => {
        if (!(error instanceof Failure)) throw error
        onTrouble(`The skill ${folder.name}/${name} is left out: ${error.message}`)
      })
      if (skill && !skills.has(skill.name)) skills.set(skill.name, skill)
    }
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function readSkill(folder: GuideFolder, name: string): Promise<Skill | undefined> {
  const text = await folder.read(`${name}/SKILL.md`)
  if (text === undefined) return undefined
  const said = propertiesOf(text)
  const own = scalarText(said.name ?? name).trim()
  const description = scalarText(said.description).replace(/\s+/g, ' ').trim()
  if (own.length > longestName || !namePattern.test(own)) {
    throw wrong(`its name must be small letters, digits and hyphens, at most ${longestName}`)
  }
  if (description === '') throw wrong('it has no description')
  if (description.length > longestDescription) {
    throw wrong(`its description is longer than ${longestDescription} characters`)
  }
  const read = (file?: string) => (file === undefined ? Promise.resolve(bodyOf(text)) : folder.read(`${name}/${file}`))
  return { name: own, description, from: folder.from, read }
}

export function propertiesOf(text: string): Record<string, unknown> {
  const { data, yaml } = readFrontmatter(text) ?? {}
  if (data !== undefined || yaml === undefined) return data ?? {}
  // People write `description: Use it when: …`, which is no YAML; their agents read it all the same.
  const lines = text.slice(yaml.start, yaml.end).split('\n')
  const plain = lines.flatMap((line) => [/^(name|description):\s*(.*)$/.exec(line.trimEnd()) ?? []])
  return Object.fromEntries(plain.flatMap(([, key, value]) => (key === undefined ? [] : [[key, value]])))
}

export const bodyOf = (text: string): string => text.slice(findFrontmatter(text)?.end ?? 0).trim()

const wrong = (reason: string): Failure => new Failure('invalid-input', `${reason}.`)
