import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { Failure } from '../../core/errors.js'
import { refusal } from './api-error.js'
import { bodyTooLarge } from './check-request.js'
import { defaultLimits, type Limits } from './limits.js'
import type { ServerEnv } from './mount.js'

/**
 * Reads and parses the JSON body of a request, within the limits of one body and of all bodies together. It reads from
 * Node's request: a web stream in between took longer than everything else the server does for a request.
 */
export function readBody(limits: Limits): MiddlewareHandler<ServerEnv> {
  const budget = { left: limits.totalBodyBytes }
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const text = decodeUtf8(await readBytes(c.env.incoming, limits, budget))
      c.set('body', text === '' ? undefined : parseRequestJson(text, limits.jsonDepth))
    }
    await next()
  }
}

function readBytes(incoming: IncomingMessage, limits: Limits, budget: { left: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stopReading = () => {
      incoming.off('data', addChunk).off('end', finish).off('error', fail).off('close', fail)
      budget.left += size
    }
    const refuse = (failure: Failure) => {
      stopReading()
      incoming.pause()
      reject(failure)
    }
    const addChunk = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.byteLength
      budget.left -= chunk.byteLength
      if (size > limits.bodyBytes) refuse(bodyTooLarge(limits.bodyBytes))
      else if (budget.left < 0) refuse(tooManyBytes())
    }
    const finish = () => {
      stopReading()
      const [only = Buffer.alloc(0)] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks) : only)
    }
    const fail = () => refuse(incompleteBody())
    incoming.on('data', addChunk).on('end', finish).on('error', fail).on('close', fail)
  })
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refusal({ status: 400, code: 'invalid_json', message: 'The request body is not valid UTF-8.' })
  }
}

const incompleteBody = (): Failure =>
  refusal({ status: 400, code: 'incomplete_body', message: 'The request body was interrupted.' })

const tooManyBytes = (): Failure =>
  refusal({ status: 503, code: 'server_busy', message: 'Too many large requests at once. Try again.' })

/** Parses JSON of a client. Text nested too deep is refused before it is parsed: walking it could overflow the stack. */
export function parseRequestJson(text: string, maxDepth = defaultLimits.jsonDepth): unknown {
  if (isDeeper(text, maxDepth)) {
    const message = `The JSON is nested deeper than ${maxDepth} levels.`
    throw refusal({ status: 400, code: 'invalid_json', message })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw refusal({ status: 400, code: 'invalid_json', message: 'The request body is not valid JSON.' })
  }
}

/** Whether brackets outside of strings are nested deeper than `maxDepth`. */
function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth--
    if (depth > maxDepth) return true
  }
  return false
}

/** Index of the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
