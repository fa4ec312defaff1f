import { Failure } from './errors.js'
import { findFrontmatter, readFrontmatter } from './markdown/index.js'
import { scalarText } from './text/index.js'

/** A folder with skills or prompt files: the user's own, or a dot folder of the vault. */
export interface InstructionFolder {
  kind: 'skills' | 'prompts'
  /** Files of a vault have low trust: they can guide the model, but allow nothing. */
  from: 'person' | 'vault'
  /** The name in messages, e.g. `.agents/skills`. */
  name: string
  /** The names of its entries; none if there is no such folder. */
  list(): Promise<string[]>
  /** The text of a file in it; undefined if there is none. Fails for a file that must not be read. */
  read(path: string): Promise<string | undefined>
}

/** Instructions for a kind of work: a folder with a `SKILL.md`. */
export interface Skill {
  name: string
  description: string
  from: 'person' | 'vault'
  /** Its text, or that of another file in its folder; undefined if there is none. */
  read(file?: string): Promise<string | undefined>
}

const mostSkills = 50
// The limits of https://agentskills.io/specification.
const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const longestName = 64
const longestDescription = 1024

/** Reads the skills in these folders, sorted by name; of two with the same name the first counts. Reports invalid ones. */
export async function readSkills(
  folders: readonly InstructionFolder[],
  onTrouble: (text: string) => void,
): Promise<Skill[]> {
  const skills = new Map<string, Skill>()
  for (const folder of folders.filter(({ kind }) => kind === 'skills')) {
    for (const name of await folder.list()) {
      if (skills.size >= mostSkills) break
      const skill = await readSkill(folder, name).catch((error) => {
        if (!(error instanceof Failure)) throw error
        onTrouble(`The skill ${folder.name}/${name} was ignored: ${error.message}`)
      })
      if (skill && !skills.has(skill.name)) skills.set(skill.name, skill)
    }
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function readSkill(folder: InstructionFolder, name: string): Promise<Skill | undefined> {
  const text = await folder.read(`${name}/SKILL.md`)
  if (text === undefined) return undefined
  const properties = propertiesOf(text)
  const skillName = scalarText(properties.name ?? name).trim()
  const description = scalarText(properties.description).replace(/\s+/g, ' ').trim()
  if (skillName.length > longestName || !namePattern.test(skillName)) {
    throw invalidSkill(
      `its name can only contain lowercase letters, digits and hyphens, at most ${longestName} characters`,
    )
  }
  if (description === '') throw invalidSkill('it has no description')
  if (description.length > longestDescription) {
    throw invalidSkill(`its description is longer than ${longestDescription} characters`)
  }
  const read = (file?: string) => (file === undefined ? Promise.resolve(bodyOf(text)) : folder.read(`${name}/${file}`))
  return { name: skillName, description, from: folder.from, read }
}

function propertiesOf(text: string): Record<string, unknown> {
  const { data, yaml } = readFrontmatter(text) ?? {}
  if (data !== undefined || yaml === undefined) return data ?? {}
  // People write `description: Use it when: …`, which is invalid YAML; other agents accept it.
  const lines = text.slice(yaml.start, yaml.end).split('\n')
  const plain = lines.flatMap((line) => [/^(name|description):\s*(.*)$/.exec(line.trimEnd()) ?? []])
  return Object.fromEntries(plain.flatMap(([, key, value]) => (key === undefined ? [] : [[key, value]])))
}

const bodyOf = (text: string): string => text.slice(findFrontmatter(text)?.end ?? 0).trim()

const invalidSkill = (reason: string): Failure => new Failure('invalid-input', `${reason}.`)

/** A reusable request: `/name words`. */
export interface PromptFile {
  name: string
  description: string
  from: 'person' | 'vault'
  text: string
}

const mostPrompts = 100

/** Reads the prompt files in these folders, sorted by name; of two with the same name the first counts. */
export async function readPrompts(
  folders: readonly InstructionFolder[],
  onTrouble: (text: string) => void,
): Promise<PromptFile[]> {
  const prompts = new Map<string, PromptFile>()
  for (const folder of folders.filter(({ kind }) => kind === 'prompts')) {
    for (const file of await folder.list()) {
      const name = /^([\p{L}\p{N}][\p{L}\p{N}_-]{0,63})\.md$/u.exec(file)?.[1]?.toLowerCase()
      if (name === undefined || prompts.has(name) || prompts.size >= mostPrompts) continue
      const text = await folder.read(file).catch((error) => {
        if (!(error instanceof Failure)) throw error
        onTrouble(`The prompt ${folder.name}/${file} was ignored: ${error.message}`)
      })
      if (text === undefined) continue
      const description = scalarText(propertiesOf(text).description).replace(/\s+/g, ' ').trim()
      prompts.set(name, { name, description: description.slice(0, 200), from: folder.from, text: bodyOf(text) })
    }
  }
  return [...prompts.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Fills a prompt with the words after its name: `key=value` and `key="two words"` fill `{{key}}`, all others
 * `$ARGUMENTS`. A prompt with a single gap takes all words for it; one without any gets them at its end.
 */
export function fillPrompt({ name, text }: Pick<PromptFile, 'name' | 'text'>, words: string): string {
  const gaps = [...new Set(Array.from(text.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g), ([, gap = '']) => gap))]
  const named = new Map<string, string>()
  const rest = words
    .replace(
      /(^|\s)([\w-]+)=(?:"([^"]*)"|(\S+))/g,
      (all, before: string, key: string, quoted?: string, word?: string) => {
        if (!gaps.includes(key)) return all
        named.set(key, quoted ?? word ?? '')
        return before
      },
    )
    .replace(/\s+/g, ' ')
    .trim()
  const takesRest = text.includes('$ARGUMENTS')
  const onlyGap = gaps.length === 1 ? gaps[0] : undefined
  if (!takesRest && rest !== '' && onlyGap !== undefined && !named.has(onlyGap)) named.set(onlyGap, rest)
  const missing = gaps.filter((gap) => !named.has(gap))
  if (missing.length > 0) {
    throw new Failure('invalid-input', `The prompt /${name} needs ${missing.join(', ')}.`, {
      hint: `For example: /${name} ${missing.map((gap) => `${gap}="…"`).join(' ')}`,
    })
  }
  const isUsed = takesRest || (onlyGap !== undefined && named.get(onlyGap) === rest)
  // In one pass, so that gaps inside filled-in text stay as they are.
  const filled = text.replace(/\$ARGUMENTS|\{\{\s*([\w-]+)\s*\}\}/g, (_, gap?: string) =>
    gap === undefined ? rest : (named.get(gap) ?? ''),
  )
  return isUsed || rest === '' ? filled : `${filled}\n\n${rest}`
}
