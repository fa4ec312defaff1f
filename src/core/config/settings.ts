import type * as z from 'zod/mini'
import { isRecord } from '../is-record.js'
import { configSchema, type SettingText, settingTexts, toolSetting } from './config-schema.js'

/** One leaf of the schema under its dotted name, e.g. `search.limit`. */
export interface Setting extends SettingText {
  key: string
  /** Its environment variables, the first found counts. */
  environment: string[]
  accepts(value: unknown): boolean
}

export const settings: readonly Setting[] = leaves(configSchema, [])

/** The setting of a dotted name; each tool has a `guidance` and an `addGuidance` besides those in the list. */
export function settingNamed(key: string): Setting | undefined {
  const listed = settings.find((setting) => setting.key === key)
  const ofTool = /^tools\.([\w/-]+)\.(guidance|addGuidance)$/.exec(key)
  if (listed !== undefined || ofTool === null) return listed
  const [, tool, what] = ofTool
  const isInstead = what === 'guidance'
  return {
    key,
    about: isInstead
      ? `What a model is told about using ${tool}, instead of its own guidance.`
      : `What a model is told about using ${tool}, besides its own guidance.`,
    expects: 'a text',
    environment: [],
    accepts: (value) => toolSetting.safeParse({ [what]: value }).success,
  }
}

/** The value at a dotted name, `undefined` where there is none. */
export function valueAt(tree: unknown, key: string): unknown {
  let node = tree
  for (const name of key.split('.')) {
    if (!isRecord(node) || !Object.hasOwn(node, name)) return undefined
    node = node[name]
  }
  return node
}

/** A copy of the tree with the value at a dotted name; `undefined` takes the entry (and an emptied section) out. */
export function withValueAt(tree: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  const [name, ...rest] = key.split('.')
  const child = Object.hasOwn(tree, name) ? tree[name] : undefined
  const next = rest.length === 0 ? value : withValueAt(isRecord(child) ? child : {}, rest.join('.'), value)
  const copy = { ...tree }
  delete copy[name]
  const isEmptied = rest.length > 0 && isRecord(next) && Object.keys(next).length === 0
  return next === undefined || isEmptied ? copy : { ...tree, [name]: next }
}

function leaves(section: z.ZodMiniObject, path: string[]): Setting[] {
  return Object.entries(section.shape).flatMap(([name, schema]) => {
    const text = settingTexts.get(schema)
    const here = [...path, name]
    if (text === undefined) return leaves((schema as z.ZodMiniPrefault<z.ZodMiniObject>)._zod.def.innerType, here)
    const own = `NOTEWRIGHT_${here
      .join('_')
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .toUpperCase()}`
    const environment = [own, ...(text.environment ?? [])]
    const accepts = (value: unknown) => (schema as z.ZodMiniType).safeParse(value).success
    return [{ ...text, key: here.join('.'), environment, accepts }]
  })
}
