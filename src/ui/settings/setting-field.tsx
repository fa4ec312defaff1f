import { useId, useState } from 'preact/hooks'
import type { SettingForm, SettingLayout } from '../../core/config/index.js'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

/** One setting with its value in force and its layout. */
export interface ShownSetting extends SettingLayout {
  key: string
  value: unknown
  source: string
  variable?: string
  about: string
  expects: string
  /** Its value is never sent. */
  secret?: true
}

/**
 * Stores a text as the value of a setting; an empty one restores the default. Returns a sentence if it was rejected.
 */
export type SaveSetting = (key: string, text: string) => Promise<string | undefined>

interface SettingFieldProps {
  setting: ShownSetting
  save: SaveSetting
  /** Labels it with its name in the settings file. */
  byName?: boolean
}

/** A setting with its description, a field that fits its schema, and the outcome of the last change. */
export function SettingField({ setting, save, byName = false }: SettingFieldProps) {
  const { key, label, hint, form, options, source, variable, expects } = setting
  const id = useId()
  const { Markdown } = useHost()
  const [said, setSaid] = useState<{ text: string; isWrong: boolean } | undefined>()
  const [draft, setDraft] = useState<string | undefined>()
  const shown = draft ?? textOf(setting)

  async function keep(text: string): Promise<void> {
    setDraft(text)
    const refused = await save(key, text)
    setSaid(refused === undefined ? { text: 'Saved.', isWrong: false } : { text: refused, isWrong: true })
    if (refused === undefined) setDraft(undefined)
  }
  const isFixed = source === 'environment' || source === 'flag'
  const isTyped = options === undefined
  return (
    <div class={isWide(setting) ? 'nw-setting nw-setting-wide' : 'nw-setting'}>
      <div class="nw-setting-text">
        {isDescribed(setting) ? (
          <b id={id}>{visibleText(byName ? key : label).text}</b>
        ) : (
          <label for={id}>{visibleText(byName ? key : label).text}</label>
        )}
        {!isDescribed(setting) && (
          <div class="nw-remark" id={`${id}-about`}>
            <Markdown text={hint} />
          </div>
        )}
      </div>
      <form
        class="nw-setting-row"
        onSubmit={(event) => {
          event.preventDefault()
          void keep(asText(form, shown))
        }}
      >
        <Control
          id={id}
          setting={setting}
          text={shown}
          secret={setting.secret && (setting.value === null ? 'not set' : 'set, never shown')}
          onText={setDraft}
          onChoice={(text) => void keep(text)}
        />
        {isTyped && (
          <button type="submit" class="nw-btn-small" disabled={draft === undefined || draft === textOf(setting)}>
            Save
          </button>
        )}
        {source === 'file' && (
          <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => void keep('')}>
            Reset to default
          </button>
        )}
      </form>
      <p role="status" class={said?.isWrong ? 'nw-trouble' : 'nw-remark'}>
        {said && visibleText(said.text).text}
        {said?.isWrong && ` Enter ${expects}.`}
      </p>
      {isFixed && (
        <p class="nw-remark">
          {source === 'flag'
            ? 'Set on the command line.'
            : `${variable} in the environment takes precedence over the value here.`}
        </p>
      )}
    </div>
  )
}

interface ControlProps {
  id: string
  setting: ShownSetting
  text: string
  /** Placeholder for a value that is never shown. */
  secret: string | undefined
  onText: (text: string) => void
  onChoice: (text: string) => void
}

function Control({ id, setting, text, secret, onText, onChoice }: ControlProps) {
  const { form, options, isLong, placeholder } = setting
  const input = { id, value: text, 'aria-describedby': `${id}-about` }
  if (isDescribed(setting)) {
    return (
      <div class="nw-choice-list" role="radiogroup" aria-labelledby={id}>
        {options?.map(({ value, label, about }) => (
          <label key={value} class="nw-choice">
            <input type="radio" name={id} checked={value === text} onChange={() => onChoice(value)} />
            <b>{label}</b>
            <p>{about}</p>
          </label>
        ))}
      </div>
    )
  }
  if (isSwitch(setting)) {
    return (
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-describedby={`${id}-about`}
        aria-checked={text === 'true'}
        checked={text === 'true'}
        onChange={(event) => onChoice(String(event.currentTarget.checked))}
      />
    )
  }
  if (options !== undefined) {
    return (
      <select {...input} onChange={(event) => onChoice(event.currentTarget.value)}>
        {!options.some(({ value }) => value === text) && <option value={text}>{text || 'not set'}</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  const field = {
    ...input,
    onInput: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
  }
  switch (form.takes) {
    case 'list':
    case 'json': {
      const example = form.takes === 'list' ? 'One per line' : undefined
      return <textarea {...field} rows={rowsOf(text)} placeholder={secret ?? example} />
    }
    case 'number':
      return <input {...field} type="number" step="any" placeholder={placeholder} />
    default:
      if (secret) return <input {...field} type="password" autocomplete="off" placeholder={secret} />
      if (isLong) return <textarea {...field} rows={rowsOf(text)} placeholder={placeholder} />
      return <input {...field} placeholder={placeholder} />
  }
}

const isDescribed = ({ options = [] }: ShownSetting): boolean => options.some(({ about }) => about !== undefined)

/** Without a default there is a third state, which a switch cannot show. */
const isSwitch = ({ form, options = [] }: ShownSetting): boolean =>
  form.takes === 'yes-no' && options.every(({ value }) => value !== '')

/** The control is under the text instead of beside it. */
const isWide = (setting: ShownSetting): boolean =>
  setting.options === undefined ? setting.form.takes !== 'number' : isDescribed(setting)

const rowsOf = (text: string): number => Math.min(8, Math.max(2, text.split('\n').length))

/** The value as text for its field. */
function textOf({ value, form }: ShownSetting): string {
  if (value === null || value === undefined || value === '(set)') return ''
  if (form.takes === 'list' && Array.isArray(value)) return value.join('\n')
  if (form.takes === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The text as a value to store. */
function asText({ takes }: SettingForm, text: string): string {
  if (takes !== 'list') return text.trim()
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.length === 0 ? '' : JSON.stringify(lines)
}
