import type * as z from 'zod/mini'
import { Failure, type FailureDetails } from '../errors.js'
import { isRecord } from '../is-record.js'
import { nearestName } from '../text/index.js'
import {
  type Config,
  configSchema,
  modelSetting,
  type ProjectSetting,
  priceSetting,
  projectSetting,
  projectSettingTexts,
  type SettingGroup,
  type SettingText,
  settingTexts,
  toolSetting,
} from './config-schema.js'

/** One leaf of the schema under its dotted name, e.g. `search.limit`. */
export interface Setting extends SettingText {
  key: string
  /** Its environment variables; the first one that is set counts. */
  environment: string[]
  form: SettingForm
  accepts: (value: unknown) => boolean
  /** `undefined` if there is none. */
  defaultValue?: unknown
}

export const settings: readonly Setting[] = settingsIn(configSchema)

export interface SettingOption {
  value: string
  label: string
  /** A sentence about it. */
  about?: string
}

/** A setting as the page and the plugin show it. Plain data. */
export interface SettingLayout {
  group?: SettingGroup
  label: string
  hint: string
  form: SettingForm
  placeholder?: string
  isLong?: true
  /** Values and labels of a drop-down list. */
  options?: readonly SettingOption[]
}

export function settingLayout(setting: Setting): SettingLayout {
  const { key, about, group, label = key, hint = about, form, placeholder, isLong } = setting
  const options = settingOptions(setting)
  return {
    label,
    hint,
    form,
    ...(group && { group }),
    ...(placeholder && { placeholder }),
    ...(isLong && { isLong }),
    ...(options && { options }),
  }
}

/** The setting needs a list if there are a few values to choose from, and one of them may be none. */
function settingOptions({ form, choices = {}, choiceTexts = {}, defaultValue }: Setting): SettingLayout['options'] {
  const labels: Record<string, string> = form.takes === 'yes-no' ? { true: 'Yes', false: 'No' } : choices
  const values = form.takes === 'yes-no' ? Object.keys(labels) : (form.choices ?? Object.keys(choices))
  if (values.length === 0) return undefined
  const ofValues = values
    .filter((value) => value !== '')
    .map((value) => ({
      value,
      label: labels[value] ?? value,
      ...(choiceTexts[value] !== undefined && { about: choiceTexts[value] }),
    }))
  return defaultValue === undefined ? [{ value: '', label: choices[''] ?? 'not set' }, ...ofValues] : ofValues
}

/** Finds a setting by its dotted name, including those of single tools, models, prices and projects. */
export function findSetting(key: string): Setting | undefined {
  return (
    settings.find((setting) => setting.key === key) ??
    modelSettingNamed(key) ??
    priceSettingNamed(key) ??
    toolSettingNamed(key) ??
    projectSettingNamed(key)
  )
}

function toolSettingNamed(key: string): Setting | undefined {
  const ofTool = /^tools\.([\w/-]+)\.(guidance|addGuidance)$/.exec(key)
  if (ofTool === null) return undefined
  const [, tool, what = ''] = ofTool
  const replacesOwn = what === 'guidance'
  return {
    key,
    about: replacesOwn
      ? `Guidance for the model about ${tool}. Replaces the built-in guidance.`
      : `Guidance for the model about ${tool}, added to the built-in guidance.`,
    label: replacesOwn ? 'Replace its guidance' : 'Add to its guidance',
    hint: replacesOwn
      ? "Instructions for the model, in place of the tool's own."
      : "Instructions that the model gets with the tool's own.",
    isLong: true,
    expects: 'text',
    environment: [],
    form: { takes: 'text' },
    accepts: (value) => toolSetting.safeParse({ [what]: value }).success,
  }
}

/** The two settings of one tool: instructions added to its own, and instructions in their place. */
export function guidanceSettings(tool: string): Setting[] {
  return ['addGuidance', 'guidance'].flatMap((what) => toolSettingNamed(`tools.${tool}.${what}`) ?? [])
}

/** `models.ollama/llama3.2:3b.window`: like `models.window`, for one model. */
function modelSettingNamed(key: string): Setting | undefined {
  const [section, model, what, ...more] = namesIn(key)
  if (section !== 'models' || !model?.includes('/') || what === undefined || more.length > 0) return undefined
  const candidates = [`models.${what}`, `turn.${what}`, what].map((name) => settings.find((each) => each.key === name))
  const generalSetting = candidates.find((setting) => setting !== undefined)
  if (!Object.hasOwn(modelSetting.shape, what) || generalSetting === undefined) return undefined
  return {
    key,
    about: `${generalSetting.key} for ${model} only.`,
    ...(generalSetting.label && { label: generalSetting.label }),
    expects: generalSetting.expects,
    environment: [],
    form: generalSetting.form,
    accepts: (value) => modelSetting.safeParse({ [what]: value }).success,
  }
}

/** `prices.openai/gpt-5`: one entry of `prices`. */
function priceSettingNamed(key: string): Setting | undefined {
  const [section, model, ...more] = namesIn(key)
  if (section !== 'prices' || !model?.includes('/') || more.length > 0) return undefined
  return {
    key,
    about: `Price of ${model} in US dollars per million tokens.`,
    expects: 'an object with input, output and optionally cached and cacheWrite',
    environment: [],
    form: { takes: 'json' },
    accepts: (value) => priceSetting.safeParse(value).success,
  }
}

/** `projects.garden.folders`. */
function projectSettingNamed(key: string): Setting | undefined {
  const [section, project, what, ...more] = key.split('.')
  if (section !== 'projects' || !project || more.length > 0) return undefined
  if (what === undefined || !Object.hasOwn(projectSettingTexts, what)) return undefined
  const { about, expects } = projectSettingTexts[what as keyof ProjectSetting]
  return {
    key,
    about: `${about} For the project ${project}.`,
    expects,
    environment: [],
    form: settingForm(projectSetting.shape[what as keyof ProjectSetting]),
    accepts: (value) => projectSetting.safeParse({ [what]: value }).success,
  }
}

/** Splits a dotted name. A model's name may contain dots itself. */
function namesIn(key: string): string[] {
  const [, pricedModel] = /^prices\.([^/.]+\/.*)$/.exec(key) ?? []
  if (pricedModel !== undefined) return ['prices', pricedModel]
  const [, model, what] = /^models\.([^/.]+\/.*)\.([^.]*)$/.exec(key) ?? []
  return model === undefined || what === undefined ? key.split('.') : ['models', model, what]
}

/** The value at a dotted name; `undefined` if there is none. */
export function valueAt(tree: unknown, key: string): unknown {
  let node = tree
  for (const name of namesIn(key)) {
    if (!isRecord(node) || !Object.hasOwn(node, name)) return undefined
    node = node[name]
  }
  return node
}

/** A copy of the tree with the value at a dotted name; `undefined` removes the entry, and its section if that is empty then. */
export function withValueAt(tree: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  return withValueBelow(tree, namesIn(key), value)
}

function withValueBelow(
  tree: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const child = Object.hasOwn(tree, name) ? tree[name] : undefined
  const next = rest.length === 0 ? value : withValueBelow(isRecord(child) ? child : {}, rest, value)
  const copy = { ...tree }
  delete copy[name]
  const isEmpty = rest.length > 0 && isRecord(next) && Object.keys(next).length === 0
  return next === undefined || isEmpty ? copy : { ...tree, [name]: next }
}

/** The settings of a schema whose leaves are registered in `settingTexts`. */
export function settingsIn(section: z.ZodMiniObject, path: string[] = []): Setting[] {
  return Object.entries(section.shape).flatMap(([name, schema]) => {
    // Every project has settings of its own (see `projectSettingNamed`).
    if (schema === configSchema.shape.projects) return []
    const text = settingTexts.get(schema)
    const here = [...path, name]
    if (text === undefined) return settingsIn((schema as z.ZodMiniPrefault<z.ZodMiniObject>)._zod.def.innerType, here)
    const own = `NOTEWRIGHT_${here
      .join('_')
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .toUpperCase()}`
    const environment = [own, ...(text.environment ?? [])]
    const accepts = (value: unknown) => (schema as z.ZodMiniType).safeParse(value).success
    const form = settingForm(schema)
    const defaultValue = (schema as z.ZodMiniType).safeParse(undefined).data
    return [{ ...text, key: here.join('.'), environment, form, accepts, defaultValue }]
  })
}

/** The fields of an object that have texts, as settings of one level. */
export function fieldsOf(section: z.ZodMiniObject): (SettingText & Pick<Setting, 'key' | 'form' | 'accepts'>)[] {
  return Object.entries(section.shape).flatMap(([key, schema]) => {
    const text = settingTexts.get(schema)
    const accepts = (value: unknown) => (schema as z.ZodMiniType).safeParse(value).success
    return text === undefined ? [] : [{ ...text, key, accepts, form: settingForm(schema) }]
  })
}

/** The form field for a setting, derived from its schema. */
export interface SettingForm {
  takes: 'text' | 'number' | 'yes-no' | 'choice' | 'list' | 'json'
  /** The values of a `choice`. */
  choices?: readonly string[]
}

/** Unions, such as a number or a word, are text fields: the setting parses the text. */
function settingForm(schema: z.core.$ZodType): SettingForm {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] }
  switch (def.type) {
    case 'default':
    case 'prefault':
    case 'optional':
      return settingForm(def.innerType)
    case 'boolean':
      return { takes: 'yes-no' }
    case 'number':
      return { takes: 'number' }
    case 'enum':
      return { takes: 'choice', choices: Object.values(def.entries).map(String) }
    case 'array':
      return { takes: 'list' }
    case 'record':
    case 'object':
      return { takes: 'json' }
    default:
      return { takes: 'text' }
  }
}

/** The settings for one model: its own where there are some, else the general ones. */
export interface ModelSettings {
  window?: number | undefined
  /** True if the model accepts pictures, if its name does not tell. */
  pictures?: boolean | undefined
  stallSeconds: number
  minutes: number
  steps?: number | undefined
  stream: boolean
  temperature?: number | undefined
  thinking?: 'off' | 'on' | number | undefined
  instructions?: string | undefined
}

export function settingsOfModel(model: string, config: Config): ModelSettings {
  const { models, turn, stream, temperature, thinking, instructions } = config
  const { window, pictures, stallSeconds } = models
  const own = (model.includes('/') && Object.hasOwn(models, model) ? models[model] : undefined) ?? {}
  return {
    window,
    pictures,
    steps: turn.steps,
    temperature,
    thinking,
    instructions,
    ...own,
    stallSeconds: own.stallSeconds ?? stallSeconds,
    minutes: own.minutes ?? turn.minutes,
    stream: own.stream ?? stream,
  }
}

/** Parses a tree of settings. Failures name the setting and the place (`where`) it comes from. */
export function checkConfig(tree: unknown, where: string): Config {
  const parsed = configSchema.safeParse(tree)
  if (parsed.success) return parsed.data
  if (!isRecord(tree)) throw new Failure('invalid-input', `${where}: expected a JSON object with settings.`)
  const unknown = firstUnknownKey(tree)
  if (unknown !== undefined) throw unknownSetting(unknown, where)
  const wrongSetting = settings.find((setting) => {
    const value = valueAt(tree, setting.key)
    return value !== undefined && !setting.accepts(value)
  })
  if (wrongSetting !== undefined) throw wrongValue(wrongSetting.key, wrongSetting.expects, where)
  const wrongKey = [...modelKeys(tree), ...projectKeys(tree)].find(
    (key) => !findSetting(key)?.accepts(valueAt(tree, key)),
  )
  if (wrongKey !== undefined) throw wrongValue(wrongKey, findSetting(wrongKey)?.expects ?? 'left out', where)
  const section = Object.keys(tree).find((key) => !settings.some((setting) => setting.key === key))
  throw wrongValue(section ?? 'the configuration', 'a group of settings in { }', where)
}

export function unknownSetting(key: string, where?: string): Failure {
  const closest = nearestName(
    key,
    settings.map((setting) => setting.key),
  )
  const advice: FailureDetails =
    closest === undefined
      ? { hint: 'List the available settings.', command: 'notewright config list' }
      : { hint: `Did you mean ${closest}?` }
  return new Failure('invalid-input', `${where === undefined ? '' : `${where}: `}unknown setting ${key}`, advice)
}

function wrongValue(key: string, expects: string, where?: string): Failure {
  return new Failure('invalid-input', `${where === undefined ? '' : `${where}: `}${key} must be ${expects}`)
}

function firstUnknownKey(tree: Record<string, unknown>, path: string[] = []): string | undefined {
  for (const [name, value] of Object.entries(tree)) {
    const key = [...path, name].join('.')
    if (findSetting(key) !== undefined) continue
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

function modelKeys({ models }: Record<string, unknown>): string[] {
  if (!isRecord(models)) return []
  return Object.entries(models).flatMap(([name, section]) =>
    isModelSection(`models.${name}`) && isRecord(section)
      ? Object.keys(section).map((what) => `models.${name}.${what}`)
      : [],
  )
}

const isModelSection = (key: string): boolean => /^models\.[^/.]+\/[^/]/.test(key) && findSetting(key) === undefined

function projectKeys({ projects }: Record<string, unknown>): string[] {
  if (!isRecord(projects)) return []
  return Object.entries(projects).flatMap(([name, section]) =>
    isRecord(section) ? Object.keys(section).map((what) => `projects.${name}.${what}`) : [],
  )
}

const isProjectSection = (key: string): boolean => /^projects(?:\.[^.]+)?$/.test(key)

const isToolSection = (key: string): boolean => /^tools\.[\w/-]+$/.test(key)

/** Reads a value that the user typed: the text itself, JSON, or a comma-separated list, whichever the setting accepts. */
export function parseSettingText(setting: Setting, text: string, where?: string): unknown {
  const parsers: (() => unknown)[] = [() => text, () => JSON.parse(text) as unknown, () => commaList(text)]
  for (const parse of parsers) {
    try {
      const value: unknown = parse()
      if (setting.accepts(value)) return value
    } catch {
      // Not JSON: another parser may accept it.
    }
  }
  throw wrongValue(setting.key, setting.expects, where)
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
