import { isRecord } from '../../../core/is-record.js'
import { badField } from '../../server/index.js'
import type { Fields } from './fields.js'

/** The form an answer is to have, as a response repeats it. */
export type TextFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema'
      name: string
      description: string | null
      schema: Record<string, unknown>
      strict: boolean
    }

/** Either API's way to say it: the schema beside the type, or inside `json_schema`. */
export function textFormat(fields: Fields | undefined): TextFormat {
  const type = fields?.oneOf('type', ['text', 'json_object', 'json_schema']) ?? 'text'
  if (fields === undefined || type !== 'json_schema') return { type } as TextFormat
  const inner = fields.fields('json_schema') ?? fields
  const schema = inner.get('schema')
  if (!isRecord(schema)) throw badField(inner.at('schema'), `${inner.at('schema')} must be a JSON Schema.`)
  return {
    type,
    name: inner.needText('name'),
    description: inner.text('description') ?? null,
    schema,
    strict: inner.flag('strict') ?? false,
  }
}
