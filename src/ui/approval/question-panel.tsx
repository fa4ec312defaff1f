import { useId, useState } from 'preact/hooks'
import type { FormField, FormValue, Question, UserAnswer } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import { PanelFrame } from './panel-frame.js'

/** Separates the choices of a list: none contains it. */
const between = '\n'

/** A question of an MCP server, as a form that names the server. */
export function QuestionPanel({
  question,
  answer,
}: {
  question: Question
  answer: (answer: UserAnswer) => Promise<string | undefined>
}) {
  const { from, message, form } = question
  const fields = Object.entries(form.properties)
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(([name, field]) => [name, asText(field.default)])),
  )
  const values: Record<string, FormValue> = {}
  const missing: string[] = []
  for (const [name, field] of fields) {
    const value = readValue(field, texts[name] ?? '')
    if (value !== undefined) values[name] = value
    else if (texts[name] !== '' || form.required?.includes(name)) missing.push(field.title ?? name)
  }
  const who = visibleText(from).text
  return (
    <PanelFrame
      request={question.id}
      title={`${from} asks`}
      icon="chat"
      allow={`Send this to ${who}`}
      onAllow={missing.length > 0 ? undefined : () => ({ verdict: 'allow', values })}
      safeDefault="deny"
      focus="panel"
      answer={answer}
    >
      <p class="nw-source">{visibleText(message).text}</p>
      {fields.map(([name, field]) => (
        <QuestionField
          key={name}
          label={field.title ?? name}
          field={field}
          isRequired={form.required?.includes(name) === true}
          text={texts[name] ?? ''}
          onInput={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      {missing.length > 0 && <p class="nw-remark">Still needed: {visibleText(missing.join(', ')).text}</p>}
    </PanelFrame>
  )
}

function QuestionField({
  label,
  field,
  isRequired,
  text,
  onInput,
}: {
  label: string
  field: FormField
  isRequired: boolean
  text: string
  onInput: (text: string) => void
}) {
  const id = useId()
  if (field.type === 'array') return <ChoiceList {...{ label, field, isRequired, text, onInput }} />
  const options = field.type === 'boolean' ? ['true', 'false'] : field.type === 'string' ? field.enum : undefined
  return (
    <div class="nw-field">
      <label for={id}>
        {visibleText(label).text}
        {isRequired && ' (needed)'}
      </label>
      {options ? (
        <select id={id} value={text} onChange={(event) => onInput(event.currentTarget.value)}>
          <option value="">choose</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {field.type === 'boolean' ? (option === 'true' ? 'yes' : 'no') : visibleText(option).text}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          // Never a key out of the browser's store.
          autocomplete="off"
          inputMode={field.type === 'string' ? 'text' : 'decimal'}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {field.description && <small>{visibleText(field.description).text}</small>}
    </div>
  )
}

function ChoiceList({
  label,
  field,
  isRequired,
  text,
  onInput,
}: {
  label: string
  field: Extract<FormField, { type: 'array' }>
  isRequired: boolean
  text: string
  onInput: (text: string) => void
}) {
  const chosen = text === '' ? [] : text.split(between)
  const toggle = (choice: string, isOn: boolean) =>
    onInput(field.items.enum.filter((each) => (each === choice ? isOn : chosen.includes(each))).join(between))
  return (
    <fieldset class="nw-field">
      <legend>
        {visibleText(label).text}
        {isRequired && ' (needed)'}
      </legend>
      {field.items.enum.map((choice) => (
        <label key={choice} class="nw-check">
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={(event) => toggle(choice, event.currentTarget.checked)}
          />{' '}
          {visibleText(choice).text}
        </label>
      ))}
      {field.description && <small>{visibleText(field.description).text}</small>}
    </fieldset>
  )
}

function asText(value: FormValue | undefined): string {
  return Array.isArray(value) ? value.join(between) : value === undefined ? '' : String(value)
}

function readValue(field: FormField, text: string): FormValue | undefined {
  if (text === '') return undefined
  switch (field.type) {
    case 'boolean':
      return text === 'true'
    case 'array': {
      const chosen = text.split(between)
      const { minItems = 0, maxItems = chosen.length } = field
      return chosen.length >= minItems && chosen.length <= maxItems ? chosen : undefined
    }
    case 'string':
      return field.enum === undefined || field.enum.includes(text) ? text : undefined
    default: {
      const number = Number(text)
      return Number.isFinite(number) && (field.type === 'number' || Number.isInteger(number)) ? number : undefined
    }
  }
}
