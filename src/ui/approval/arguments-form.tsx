import { useId, useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'

interface Field {
  name: string
  type: 'string' | 'number' | 'boolean' | 'json'
  description?: string
  options?: readonly string[]
}

/** The arguments as fields that can be changed. Told on every change: the new arguments, or nothing while one cannot be read. */
export function ArgumentsForm({ request, onChange }: { request: ApprovalRequest; onChange: (input: unknown) => void }) {
  const input = isObject(request.input) ? request.input : {}
  const fields = fieldsOf(request.schema, input)
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, textOf(field, input[field.name])])),
  )
  const [trouble, setTrouble] = useState<string | undefined>()

  function change(name: string, text: string): void {
    const next = { ...texts, [name]: text }
    setTexts(next)
    const read = readFields(fields, next, input)
    setTrouble(typeof read === 'string' ? read : undefined)
    const isSame = typeof read !== 'string' && JSON.stringify(read) === JSON.stringify(input)
    onChange(typeof read === 'string' || isSame ? undefined : read)
  }

  return (
    <div class="nw-form">
      {fields.map((field) => (
        <ArgumentField
          key={field.name}
          field={field}
          text={texts[field.name]}
          onInput={(text) => change(field.name, text)}
        />
      ))}
      {trouble && <p class="nw-trouble">{trouble}</p>}
    </div>
  )
}

function ArgumentField({ field, text, onInput }: { field: Field; text: string; onInput: (text: string) => void }) {
  const id = useId()
  const about = field.description && visibleText(field.description).text
  const common = { id, 'aria-describedby': about ? `${id}-about` : undefined }
  return (
    <div class="nw-field">
      <label for={id}>{visibleText(field.name).text}</label>
      {field.options || field.type === 'boolean' ? (
        <select {...common} value={text} onChange={(event) => onInput(event.currentTarget.value)}>
          <option value="">not given</option>
          {(field.options ?? ['true', 'false']).map((option) => (
            <option key={option} value={option}>
              {visibleText(option).text}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          {...common}
          rows={Math.min(12, text.split('\n').length)}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {about && <small id={`${id}-about`}>{about}</small>}
      {visibleText(text).hidden > 0 && <small class="nw-trouble">Read as: {visibleText(text).text}</small>}
    </div>
  )
}

/** What the schema names, and whatever else was given. */
function fieldsOf(schema: ApprovalRequest['schema'], input: Record<string, unknown>): Field[] {
  const properties = isObject(schema?.properties) ? schema.properties : {}
  const names = new Set([...Object.keys(properties), ...Object.keys(input)])
  return [...names].map((name) => {
    const own = isObject(properties[name]) ? properties[name] : {}
    const options = Array.isArray(own.enum) && own.enum.every((one) => typeof one === 'string') ? own.enum : undefined
    return {
      name,
      type: typeOf(own.type, input[name]),
      ...(typeof own.description === 'string' && { description: own.description }),
      ...(options && { options }),
    }
  })
}

function typeOf(declared: unknown, value: unknown): Field['type'] {
  const type = value === undefined ? declared : typeof value
  if (type === 'string' || type === 'boolean') return type
  return type === 'number' || type === 'integer' ? 'number' : 'json'
}

function textOf({ type }: Field, value: unknown): string {
  if (value === undefined) return ''
  return type === 'string' ? (value as string) : JSON.stringify(value, null, type === 'json' ? 2 : undefined)
}

/** The arguments that the fields say, in the order they were given; a sentence where one cannot be read. */
function readFields(
  fields: readonly Field[],
  texts: Record<string, string>,
  input: Record<string, unknown>,
): Record<string, unknown> | string {
  const read: Record<string, unknown> = {}
  for (const { name, type } of fields) {
    const text = texts[name]
    if (text === '' && !(type === 'string' && name in input)) continue
    if (type === 'string') read[name] = text
    else {
      try {
        read[name] = JSON.parse(text)
      } catch {
        return `${name} is not ${type === 'json' ? 'valid JSON' : `a ${type}`}.`
      }
      if (type === 'number' && typeof read[name] !== 'number') return `${name} is not a number.`
    }
  }
  return read
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
