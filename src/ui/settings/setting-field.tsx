import { useId, useState } from 'preact/hooks'
import type { SettingForm } from '../../core/config/index.js'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

/** One setting as it counts, and what it takes. */
export interface ShownSetting {
  key: string
  value: unknown
  source: string
  variable?: string
  about: string
  expects: string
  form: SettingForm
  /** Its value is never told. */
  secret?: true
}

/** Keeps a text as the value of a setting; an empty one brings the default back. A sentence where it was refused. */
export type SaveSetting = (key: string, text: string) => Promise<string | undefined>

/** A setting with its words, a field that fits its schema, and what became of the last change. */
export function SettingField({ setting, save, label }: { setting: ShownSetting; save: SaveSetting; label?: string }) {
  const { key, form, source, variable, about, expects } = setting
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
  const isTyped = form.takes !== 'choice' && form.takes !== 'yes-no'
  return (
    <div class="nw-setting">
      <label for={id}>{visibleText(label ?? key).text}</label>
      <div class="nw-remark" id={`${id}-about`}>
        <Markdown text={about} />
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
          form={form}
          text={shown}
          secret={setting.secret && (setting.value === null ? 'not set' : 'set; never shown')}
          onText={setDraft}
          onChoice={(text) => void keep(text)}
        />
        {isTyped && (
          <button type="submit" disabled={draft === undefined || draft === textOf(setting)}>
            Save
          </button>
        )}
        {source === 'file' && (
          <button type="button" class="nw-quiet" onClick={() => void keep('')}>
            Back to the default
          </button>
        )}
      </form>
      <p role="status" class={said?.isWrong ? 'nw-trouble' : 'nw-remark'}>
        {said && visibleText(said.text).text}
        {said?.isWrong && ` It takes ${expects}.`}
      </p>
      {isFixed && (
        <p class="nw-remark">
          {source === 'flag'
            ? 'Given on the command line.'
            : `${variable} in the environment counts before what is saved here.`}
        </p>
      )}
    </div>
  )
}

interface ControlProps {
  id: string
  form: SettingForm
  text: string
  /** Of a value that is never shown: what stands in its place. */
  secret: string | undefined
  onText: (text: string) => void
  onChoice: (text: string) => void
}

function Control({ id, form, text, secret, onText, onChoice }: ControlProps) {
  const about = `${id}-about`
  const input = { id, value: text, 'aria-describedby': about }
  switch (form.takes) {
    case 'yes-no':
    case 'choice': {
      const choices = form.choices ?? ['true', 'false']
      const words = form.takes === 'yes-no' ? { true: 'Yes', false: 'No' } : undefined
      return (
        <select {...input} onChange={(event) => onChoice(event.currentTarget.value)}>
          {!choices.includes(text) && <option value="">not set</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {words?.[choice as 'true'] ?? choice}
            </option>
          ))}
        </select>
      )
    }
    case 'list':
    case 'json':
      return (
        <textarea
          {...input}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          placeholder={secret ?? (form.takes === 'list' ? 'one in a line' : undefined)}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )
    case 'number':
      return <input {...input} type="number" step="any" onInput={(event) => onText(event.currentTarget.value)} />
    case 'text':
      return secret ? (
        <input
          {...input}
          type="password"
          autocomplete="off"
          placeholder={secret}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      ) : (
        <input {...input} onInput={(event) => onText(event.currentTarget.value)} />
      )
    default:
      return form.takes satisfies never
  }
}

/** As it stands in its field. */
function textOf({ value, form }: ShownSetting): string {
  if (value === null || value === undefined || value === '(set)') return ''
  if (form.takes === 'list' && Array.isArray(value)) return value.join('\n')
  if (form.takes === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** As it is kept. */
function asText({ takes }: SettingForm, text: string): string {
  if (takes !== 'list') return text.trim()
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.length === 0 ? '' : JSON.stringify(lines)
}
