import { Failure, type FailureDetails } from '../errors.js'
import { isRecord } from '../is-record.js'
import { nearestName } from '../names/index.js'
import { type Config, configSchema } from './config-schema.js'
import { settingNamed, settings, valueAt } from './settings.js'

/** Parses a tree of settings; what is wrong is said in a sentence that names the setting and where it stands. */
export function checkConfig(tree: unknown, where: string): Config {
  const parsed = configSchema.safeParse(tree)
  if (parsed.success) return parsed.data
  if (!isRecord(tree)) throw new Failure('invalid-input', `${where}: expected a JSON object with settings.`)
  const unknown = firstUnknownKey(tree)
  if (unknown !== undefined) throw unknownSetting(unknown, where)
  const wrong = settings.find((setting) => {
    const value = valueAt(tree, setting.key)
    return value !== undefined && !setting.accepts(value)
  })
  if (wrong !== undefined) throw wrongValue(wrong.key, wrong.expects, where)
  const ofModel = keysOfModels(tree).find((key) => !settingNamed(key)?.accepts(valueAt(tree, key)))
  if (ofModel !== undefined) throw wrongValue(ofModel, settingNamed(ofModel)?.expects ?? 'left out', where)
  const ofProject = keysOfProjects(tree).find((key) => !settingNamed(key)?.accepts(valueAt(tree, key)))
  if (ofProject !== undefined) throw wrongValue(ofProject, settingNamed(ofProject)?.expects ?? 'left out', where)
  const section = Object.keys(tree).find((key) => !settings.some((setting) => setting.key === key))
  throw wrongValue(section ?? 'the configuration', 'a group of settings in { }', where)
}

export function unknownSetting(key: string, where?: string): Failure {
  const near = nearestName(
    key,
    settings.map((setting) => setting.key),
  )
  const advice: FailureDetails =
    near === undefined
      ? { hint: 'See which settings there are.', command: 'notewright config list' }
      : { hint: `Did you mean ${near}?` }
  return new Failure('invalid-input', `${where === undefined ? '' : `${where}: `}unknown setting ${key}`, advice)
}

export function wrongValue(key: string, expects: string, where?: string): Failure {
  return new Failure('invalid-input', `${where === undefined ? '' : `${where}: `}${key} must be ${expects}`)
}

function firstUnknownKey(tree: Record<string, unknown>, path: string[] = []): string | undefined {
  for (const [name, value] of Object.entries(tree)) {
    const key = [...path, name].join('.')
    if (settingNamed(key) !== undefined) continue
    const isSection =
      isToolSection(key) ||
      isModelSection(key) ||
      isProjectSection(key) ||
      settings.some((setting) => setting.key.startsWith(`${key}.`))
    if (!isSection) return key
    const inside = isRecord(value) ? firstUnknownKey(value, [...path, name]) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

function keysOfModels({ models }: Record<string, unknown>): string[] {
  if (!isRecord(models)) return []
  return Object.entries(models).flatMap(([name, said]) =>
    isModelSection(`models.${name}`) && isRecord(said) ? Object.keys(said).map((what) => `models.${name}.${what}`) : [],
  )
}

const isModelSection = (key: string): boolean => /^models\.[^/.]+\/[^/]/.test(key) && settingNamed(key) === undefined

function keysOfProjects({ projects }: Record<string, unknown>): string[] {
  if (!isRecord(projects)) return []
  return Object.entries(projects).flatMap(([name, said]) =>
    isRecord(said) ? Object.keys(said).map((what) => `projects.${name}.${what}`) : [],
  )
}

const isProjectSection = (key: string): boolean => /^projects(?:\.[^.]+)?$/.test(key)

const isToolSection = (key: string): boolean => /^tools\.[\w/-]+$/.test(key)
