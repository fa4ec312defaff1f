import { SecretComponent, type Setting, type SettingDefinition } from 'obsidian'
import { type Setting as SchemaSetting, settingLayout } from '../../../core/config/index.js'
import type { NotewrightPlugin } from '../plugin.js'

/** Stores the value. Returns a sentence if it was rejected. */
export type Save = (key: string, value: unknown) => Promise<string | undefined>

interface Field {
  key: string
  name: string
  desc: string
  placeholder?: string | undefined
}

interface SettingValues {
  /** As the field of a setting shows it. */
  text: (key: string) => string
  save: Save
}

/** The row of any setting, drawn from its entry in the schema. */
export function settingDefinition(setting: SchemaSetting, { text, save }: SettingValues): SettingDefinition {
  const { key, accepts, expects, defaultValue } = setting
  const { form, label, hint, options, isLong, placeholder } = settingLayout(setting)
  const shown = { name: label, desc: hint.replaceAll('`', '') }
  if (form.takes === 'yes-no' && defaultValue !== undefined) return { ...shown, control: { type: 'toggle', key } }
  if (options !== undefined) return choiceRow({ key, ...shown }, options)
  if (form.takes === 'number' && defaultValue !== undefined) {
    const validate = (value: number) => (accepts(value) ? undefined : `It must be ${expects}.`)
    return { ...shown, control: { type: 'number', key, validate } }
  }
  const isList = form.takes === 'list'
  return typedRow({
    key,
    ...shown,
    ...(isList && { desc: `${shown.desc} One per line.` }),
    ...(placeholder !== undefined && { placeholder }),
    isLong: isLong ?? (isList || form.takes === 'json'),
    value: () => text(key),
    save,
  })
}

export function choiceRow(
  { key, name, desc }: Field,
  options: readonly { value: string; label: string }[],
): SettingDefinition {
  const labels = Object.fromEntries(options.map(({ value, label }) => [value, label]))
  return { name, desc, control: { type: 'dropdown', key, options: labels } }
}

interface TypedRow extends Field {
  value: () => string
  save: Save
  isLong?: boolean
}

/** The value is saved when the field loses focus: a partial rule or folder name would mean something else. */
export function typedRow({ key, name, desc, placeholder = '', isLong, value, save }: TypedRow): SettingDefinition {
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

/** Names a secret; its value stays in Obsidian's secret storage. */
export function secretField(
  setting: Setting,
  { app }: NotewrightPlugin,
  name: string | undefined,
  onChange: (name: string) => void,
): void {
  setting.addComponent((container) => new SecretComponent(app, container).setValue(name ?? '').onChange(onChange))
}
