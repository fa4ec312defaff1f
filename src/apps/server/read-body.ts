import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { Failure } from '../../core/errors.js'
import { refusal } from './api-error.js'
import type { ServerEnv } from './door.js'
import { bodyTooLarge } from './gate.js'
import type { Limits } from './limits.js'
import { parseJson } from './parse-json.js'

/**
 * Reads the JSON of a request for whichever route it goes to, within the limits of one body and of all together. It
 * takes what Node has read: a web stream in between took longer than everything else the server does for a request.
 */
export function readBody(limits: Limits): MiddlewareHandler<ServerEnv> {
  const budget = { left: limits.bodiesBytes }
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const text = decoded(await readBytes(c.env.incoming, limits, budget))
      c.set('body', text === '' ? undefined : parseJson(text, limits.jsonDepth))
    }
    await next()
  }
}

function readBytes(incoming: IncomingMessage, limits: Limits, budget: { left: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = () => {
      incoming.off('data', take).off('end', whole).off('error', broken).off('close', broken)
      budget.left += size
    }
    const refuse = (why: Failure) => {
      end()
      incoming.pause()
      reject(why)
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.byteLength
      budget.left -= chunk.byteLength
      if (size > limits.bodyBytes) refuse(bodyTooLarge(limits.bodyBytes))
      else if (budget.left < 0) refuse(tooMuchAtOnce())
    }
    const whole = () => {
      end()
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    }
    const broken = () => refuse(brokeOff())
    incoming.on('data', take).on('end', whole).on('error', broken).on('close', broken)
  })
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refusal({ status: 400, code: 'invalid_json', message: 'The body is not valid UTF-8.' })
  }
}

const brokeOff = (): Failure => refusal({ status: 400, code: 'incomplete_body', message: 'The body broke off.' })

const tooMuchAtOnce = (): Failure =>
  refusal({ status: 503, code: 'server_busy', message: 'Too much is being sent at once. Try again.' })
