import type { Context } from 'hono'
import type * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import type { ServerEnv } from '../../server/index.js'

/** The request's JSON as the schema wants it. */
export function bodyOf<Schema extends z.ZodType>(c: Context<ServerEnv>, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(c.get('body') ?? {})
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  throw new Failure('invalid-input', `${first?.path.join('.') || 'The body'}: ${first?.message ?? 'is not valid'}`)
}
