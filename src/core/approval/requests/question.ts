/** One field of a form: what MCP lets a server ask for, and no more. */
export type FormField = { title?: string; description?: string } & (
  | { type: 'string'; minLength?: number; maxLength?: number; format?: string; default?: string; enum?: string[] }
  | { type: 'number' | 'integer'; minimum?: number; maximum?: number; default?: number }
  | { type: 'boolean'; default?: boolean }
  /** Any number of these. */
  | { type: 'array'; items: { enum: string[] }; minItems?: number; maxItems?: number; default?: string[] }
)

/** A flat JSON Schema, drawn as a form. */
export interface Form {
  type: 'object'
  properties: Readonly<Record<string, FormField>>
  required?: readonly string[]
}

export type FormValue = string | number | boolean | readonly string[]
export type FormValues = Readonly<Record<string, FormValue>>

/** What a server wants to know from the person. Plain data. */
export interface Question {
  kind: 'question'
  id: string
  /** Binds the answer to what is shown; sent back with it. */
  hash: string
  session: string
  turn?: string
  createdAt: number
  expiresAt: number
  /** Who asks: shown to the person, so that nobody else's question looks like ours. */
  from: string
  message: string
  form: Form
}

export type QuestionAnswer = { verdict: 'allow'; values: FormValues } | { verdict: 'deny'; words?: string }

/** What is wrong with the values; undefined when the form can have them. */
export function whyNoForm({ properties, required = [] }: Form, values: unknown): string | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return 'the values are an object'
  for (const name of Object.keys(values)) if (!Object.hasOwn(properties, name)) return `no such field: ${name}`
  for (const [name, field] of Object.entries(properties)) {
    const value = Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined
    const reason = value === undefined ? required.includes(name) && 'missing' : whyNoValue(field, value)
    if (reason) return `${name}: ${reason}`
  }
  return undefined
}

function whyNoValue(field: FormField, value: unknown): string | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'yes or no'
    case 'string': {
      if (typeof value !== 'string') return 'a text'
      const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field
      if (field.enum && !field.enum.includes(value)) return `one of ${field.enum.join(', ')}`
      return value.length < minLength || value.length > maxLength ? 'too short or too long' : undefined
    }
    case 'number':
    case 'integer': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'a number'
      if (field.type === 'integer' && !Number.isInteger(value)) return 'a whole number'
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field
      return value < minimum || value > maximum ? 'too small or too large' : undefined
    }
    case 'array': {
      const choices = field.items.enum
      if (!Array.isArray(value) || new Set(value).size !== value.length) return 'some of the choices'
      if (value.some((each: string) => !choices.includes(each))) return `some of ${choices.join(', ')}`
      const { minItems = 0, maxItems = choices.length } = field
      return value.length < minItems || value.length > maxItems ? 'too few or too many' : undefined
    }
    default:
      return 'a kind of field that is not known'
  }
}
