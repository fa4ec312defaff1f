import type * as z from 'zod/mini'

/** What a person fills in for a setting, as its schema says. */
export interface SettingForm {
  takes: 'text' | 'number' | 'yes-no' | 'choice' | 'list' | 'json'
  /** Of a choice. */
  choices?: readonly string[]
}

/** What else can be written, as a text or a number, is a text that is read by the setting. */
export function settingForm(schema: z.core.$ZodType): SettingForm {
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
