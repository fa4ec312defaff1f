import type { MiddlewareHandler } from 'hono'
import { Failure } from '../../core/errors.js'
import { refusal } from './api-error.js'
import type { ServerEnv } from './door.js'
import { bodyTooLarge } from './gate.js'
import type { Limits } from './limits.js'
import { parseJson } from './parse-json.js'

/** Reads the JSON of a request for whichever route it goes to, within the limits of one body and of all together. */
export function readBody(limits: Limits): MiddlewareHandler<ServerEnv> {
  const budget = { left: limits.bodiesBytes }
  return async (c, next) => {
    const { body } = c.req.raw
    if (body !== null && c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const text = await readText(body, limits, budget)
      c.set('body', text === '' ? undefined : parseJson(text, limits.jsonDepth))
    }
    await next()
  }
}

async function readText(body: ReadableStream<Uint8Array>, limits: Limits, budget: { left: number }): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.byteLength
      budget.left -= chunk.byteLength
      if (size > limits.bodyBytes) throw bodyTooLarge(limits.bodyBytes)
      if (budget.left < 0) {
        throw refusal({ status: 503, code: 'server_busy', message: 'Too much is being sent at once. Try again.' })
      }
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw refusal({ status: 400, code: 'incomplete_body', message: 'The body broke off.' })
  } finally {
    budget.left += size
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw refusal({ status: 400, code: 'invalid_json', message: 'The body is not valid UTF-8.' })
  }
}
