import { SecretComponent, type Setting, type SettingDefinition } from 'obsidian'
import { settingNamed } from '../../../core/config/index.js'
import type { NotewrightPlugin } from '../plugin.js'

/** Keeps what was entered. A sentence where it was refused. */
export type Save = (key: string, value: unknown) => Promise<string | undefined>

interface Field {
  key: string
  name: string
  /** What the reference page says of the setting, unless told. */
  desc?: string
  placeholder?: string
}

/** The words of the reference page without its marks. */
export const about = (key: string): string => (settingNamed(key)?.about ?? '').replaceAll('`', '')

/** A switch. */
export function toggleRow({ key, name, desc = about(key) }: Field): SettingDefinition {
  return { name, desc, control: { type: 'toggle', key } }
}

export function choiceRow(
  { key, name, desc = about(key) }: Field,
  options: Readonly<Record<string, string>>,
): SettingDefinition {
  return { name, desc, control: { type: 'dropdown', key, options: { ...options } } }
}

/** A number of the schema, which says itself what is too little and too much. */
export function numberRow({ key, name, desc = about(key) }: Field): SettingDefinition {
  const { accepts = () => true, expects = '' } = settingNamed(key) ?? {}
  const validate = (value: number) => (accepts(value) ? undefined : `It must be ${expects}.`)
  return { name, desc, control: { type: 'number', key, validate } }
}

interface TypedRow extends Field {
  value: () => string
  save: Save
  isLong?: boolean
}

/** What is typed counts when the field is left: half a rule, or half a folder's name, means something else. */
export function typedRow({
  key,
  name,
  desc = about(key),
  placeholder = '',
  isLong,
  value,
  save,
}: TypedRow): SettingDefinition {
  return {
    name,
    desc,
    render(setting) {
      const keep = async (inputEl: HTMLInputElement | HTMLTextAreaElement) => {
        const wrong = await save(key, inputEl.value)
        setting.setErrorMessage(wrong ?? null)
        inputEl.setAttribute('aria-invalid', `${wrong !== undefined}`)
      }
      const fill = (field: { inputEl: HTMLInputElement | HTMLTextAreaElement }) => {
        const { inputEl } = field
        inputEl.value = value()
        inputEl.placeholder = placeholder
        inputEl.setAttribute('aria-label', name)
        inputEl.addEventListener('change', () => void keep(inputEl))
      }
      if (isLong) setting.addTextArea(fill)
      else setting.addText(fill)
    },
  }
}

/** Names a secret; what it is stays in Obsidian's own store. */
export function secretField(
  setting: Setting,
  { app }: NotewrightPlugin,
  name: string | undefined,
  onChange: (name: string) => void,
): void {
  setting.addComponent((container) => new SecretComponent(app, container).setValue(name ?? '').onChange(onChange))
}
