import { useId, useState } from 'preact/hooks'
import type { FormField, PanelAnswer, Question } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import { PanelFrame } from './panel-frame.js'

type Value = string | number | boolean

/** Somebody else's question, as a form that says whose it is. */
export function QuestionPanel({
  question,
  answer,
}: {
  question: Question
  answer(answer: PanelAnswer): Promise<string | undefined>
}) {
  const { from, message, form } = question
  const fields = Object.entries(form.properties)
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(([name, field]) => [name, field.default === undefined ? '' : String(field.default)])),
  )
  const values: Record<string, Value> = {}
  const missing: string[] = []
  for (const [name, field] of fields) {
    const value = readValue(field, texts[name])
    if (value !== undefined) values[name] = value
    else if (texts[name] !== '' || form.required?.includes(name)) missing.push(field.title ?? name)
  }
  const who = visibleText(from).text
  return (
    <PanelFrame
      title={`${from} asks`}
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
          text={texts[name]}
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
  onInput(text: string): void
}) {
  const id = useId()
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

function readValue(field: FormField, text: string): Value | undefined {
  if (text === '') return undefined
  switch (field.type) {
    case 'boolean':
      return text === 'true'
    case 'string':
      return field.enum === undefined || field.enum.includes(text) ? text : undefined
    default: {
      const number = Number(text)
      return Number.isFinite(number) && (field.type === 'number' || Number.isInteger(number)) ? number : undefined
    }
  }
}
