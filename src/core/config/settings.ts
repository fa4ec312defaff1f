import type * as z from 'zod/mini'
import { isRecord } from '../is-record.js'
import {
  configSchema,
  modelSetting,
  priceSetting,
  type SettingText,
  settingTexts,
  toolSetting,
} from './config-schema.js'
import { type ProjectSetting, projectSetting, projectTexts } from './project-setting.js'
import { type SettingForm, settingForm } from './setting-form.js'

/** One leaf of the schema under its dotted name, e.g. `search.limit`. */
export interface Setting extends SettingText {
  key: string
  /** Its environment variables, the first found counts. */
  environment: string[]
  form: SettingForm
  accepts: (value: unknown) => boolean
}

export const settings: readonly Setting[] = leaves(configSchema, [])

/** The setting of a dotted name; each tool and each model has some besides those in the list. */
export function settingNamed(key: string): Setting | undefined {
  return (
    settings.find((setting) => setting.key === key) ??
    settingOfModel(key) ??
    settingOfPrice(key) ??
    settingOfTool(key) ??
    settingOfProject(key)
  )
}

function settingOfTool(key: string): Setting | undefined {
  const ofTool = /^tools\.([\w/-]+)\.(guidance|addGuidance)$/.exec(key)
  if (ofTool === null) return undefined
  const [, tool, what] = ofTool
  const isInstead = what === 'guidance'
  return {
    key,
    about: isInstead
      ? `What a model is told about using ${tool}, instead of its own guidance.`
      : `What a model is told about using ${tool}, besides its own guidance.`,
    expects: 'a text',
    environment: [],
    form: { takes: 'text' },
    accepts: (value) => toolSetting.safeParse({ [what]: value }).success,
  }
}

/** `models.ollama/llama3.2:3b.window`: like `models.window`, for one model. */
function settingOfModel(key: string): Setting | undefined {
  const [section, model, what, ...more] = namesIn(key)
  if (section !== 'models' || !model?.includes('/') || what === undefined || more.length > 0) return undefined
  const general = [`models.${what}`, `turn.${what}`, what].map((name) => settings.find((each) => each.key === name))
  const like = general.find((setting) => setting !== undefined)
  if (!Object.hasOwn(modelSetting.shape, what) || like === undefined) return undefined
  return {
    key,
    about: `${like.key} for ${model} alone.`,
    expects: like.expects,
    environment: [],
    form: like.form,
    accepts: (value) => modelSetting.safeParse({ [what]: value }).success,
  }
}

/** `prices.openai/gpt-5`: one entry of `prices`. */
function settingOfPrice(key: string): Setting | undefined {
  const [section, model, ...more] = namesIn(key)
  if (section !== 'prices' || !model?.includes('/') || more.length > 0) return undefined
  return {
    key,
    about: `What ${model} costs, in US dollars for a million tokens.`,
    expects: 'an object with input, output and perhaps cached and cacheWrite',
    environment: [],
    form: { takes: 'json' },
    accepts: (value) => priceSetting.safeParse(value).success,
  }
}

/** `projects.garden.folders`. */
function settingOfProject(key: string): Setting | undefined {
  const [section, project, what, ...more] = key.split('.')
  if (section !== 'projects' || !project || more.length > 0) return undefined
  if (what === undefined || !Object.hasOwn(projectTexts, what)) return undefined
  const { about, expects } = projectTexts[what as keyof ProjectSetting]
  return {
    key,
    about: `${about} For the project ${project}.`,
    expects,
    environment: [],
    form: settingForm(projectSetting.shape[what as keyof ProjectSetting]),
    accepts: (value) => projectSetting.safeParse({ [what]: value }).success,
  }
}

/** The names along a dotted one. A model's own name may have dots in it. */
function namesIn(key: string): string[] {
  const [, priced] = /^prices\.([^/.]+\/.*)$/.exec(key) ?? []
  if (priced !== undefined) return ['prices', priced]
  const [, model, what] = /^models\.([^/.]+\/.*)\.([^.]*)$/.exec(key) ?? []
  return model === undefined || what === undefined ? key.split('.') : ['models', model, what]
}

/** The value at a dotted name, `undefined` where there is none. */
export function valueAt(tree: unknown, key: string): unknown {
  let node = tree
  for (const name of namesIn(key)) {
    if (!isRecord(node) || !Object.hasOwn(node, name)) return undefined
    node = node[name]
  }
  return node
}

/** A copy of the tree with the value at a dotted name; `undefined` takes the entry (and an emptied section) out. */
export function withValueAt(tree: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  return withValueBelow(tree, namesIn(key), value)
}

function withValueBelow(
  tree: Record<string, unknown>,
  [name, ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const child = Object.hasOwn(tree, name) ? tree[name] : undefined
  const next = rest.length === 0 ? value : withValueBelow(isRecord(child) ? child : {}, rest, value)
  const copy = { ...tree }
  delete copy[name]
  const isEmptied = rest.length > 0 && isRecord(next) && Object.keys(next).length === 0
  return next === undefined || isEmptied ? copy : { ...tree, [name]: next }
}

function leaves(section: z.ZodMiniObject, path: string[]): Setting[] {
  return Object.entries(section.shape).flatMap(([name, schema]) => {
    // Each project has its own.
    if (schema === configSchema.shape.projects) return []
    const text = settingTexts.get(schema)
    const here = [...path, name]
    if (text === undefined) return leaves((schema as z.ZodMiniPrefault<z.ZodMiniObject>)._zod.def.innerType, here)
    const own = `NOTEWRIGHT_${here
      .join('_')
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .toUpperCase()}`
    const environment = [own, ...(text.environment ?? [])]
    const accepts = (value: unknown) => (schema as z.ZodMiniType).safeParse(value).success
    const form = settingForm(schema)
    return [{ ...text, key: here.join('.'), environment, form, accepts }]
  })
}
