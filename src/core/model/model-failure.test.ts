import { describe, expect, it } from 'vitest'
import { Failure } from '../errors.js'
import { type ModelContext, modelFailureData, modelFailureFrom } from './model-failure.js'

const context: ModelContext = { provider: 'Acme', modelId: 'm-1', address: 'http://127.0.0.1:9', keyHint: 'Set a key.' }
const kind = (error: unknown) => modelFailureData(modelFailureFrom(error, context))?.kind
const http = (statusCode: number, responseBody: unknown, responseHeaders = {}) => ({
  name: 'AI_APICallError',
  message: 'failed',
  statusCode,
  responseHeaders,
  responseBody: typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody),
})
const systemError = (code: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) })

describe('an error of a provider becomes a failure with a hint', () => {
  it.each([
    [http(401, { error: { message: 'nope' } }), 'key'],
    [http(403, ''), 'key'],
    [
      http(400, [
        { error: { message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
      ]),
      'key',
    ],
    [http(402, { error: { message: 'Insufficient credits' } }), 'credit'],
    [http(429, { error: { code: 'insufficient_quota', message: 'You exceeded your quota' } }), 'credit'],
    [http(429, {}), 'rate-limit'],
    [http(404, { error: { message: 'model "m-1" not found, try pulling it first' } }), 'unknown-model'],
    [http(404, '<html>nginx</html>'), 'not-an-api'],
    [http(400, { error: { code: 'context_length_exceeded', message: 'too long' } }), 'context'],
    [
      http(400, { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 5' } }),
      'context',
    ],
    [
      http(400, { error: { message: 'The input token count (9) exceeds the maximum number of tokens allowed (5).' } }),
      'context',
    ],
    [http(500, { error: 'the request exceeds the available context size' }), 'context'],
    [http(413, ''), 'context'],
    [http(400, { error: { message: 'm-1 does not support tools' } }), 'no-tools'],
    [http(502, '<html>Bad gateway</html>'), 'overloaded'],
    [http(529, { error: { type: 'overloaded_error' } }), 'overloaded'],
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
    [{ message: 'Provider returned error', code: 502 }, 'overloaded'],
    [systemError('ECONNREFUSED'), 'unreachable'],
    [systemError('ENOTFOUND'), 'unreachable'],
    [new TypeError('fetch failed', { cause: new Error('bad port') }), 'unreachable'],
    [new TypeError('Failed to fetch'), 'unreachable'],
    [systemError('ECONNRESET'), 'disconnected'],
    [systemError('UND_ERR_HEADERS_TIMEOUT'), 'stalled'],
    [Object.assign(new Error('Invalid JSON response'), { name: 'AI_JSONParseError', statusCode: 200 }), 'malformed'],
    ['something', 'rejected'],
    [undefined, 'rejected'],
  ])('%#: %s', (error, expected) => {
    expect(kind(error)).toBe(expected)
  })

  it('is always a network failure with a message and without the request', () => {
    const error = Object.assign(new Error('no'), { ...http(400, '{}'), requestBodyValues: { messages: ['my diary'] } })
    const failure = modelFailureFrom(error, context)
    expect(failure).toMatchObject({ code: 'network', message: expect.stringContaining('Acme') })
    expect(JSON.stringify({ ...failure, message: failure.message, stack: failure.stack })).not.toContain('diary')
  })

  it('keeps a failure of our own as it is', () => {
    const own = new Failure('network', 'stalled')
    expect(modelFailureFrom(new Error('outer', { cause: own }), context)).toBe(own)
  })

  it('reads how long to wait in every spelling', () => {
    const waitTold = (headers: Record<string, string>) =>
      modelFailureData(modelFailureFrom(http(429, '', headers), context))?.retryAfterMs
    expect(waitTold({ 'retry-after': '7' })).toBe(7000)
    expect(waitTold({ 'Retry-After-Ms': '250' })).toBe(250)
    expect(waitTold({ 'retry-after': 'Fri, 01 Jan 1999 00:00:00 GMT' })).toBe(0)
    expect(waitTold({ 'retry-after': 'soon' })).toBeUndefined()
    expect(waitTold({})).toBeUndefined()
  })

  it('lets no secret through, wherever the text is cut', () => {
    const redacting = { ...context, redact: (text: string) => text.replaceAll('SECRET-0123456789', '[key]') }
    for (let before = 280; before < 320; before++) {
      const said = `${'x'.repeat(before)}SECRET-0123456789`
      expect(modelFailureFrom(http(400, { error: { message: said } }), redacting).message).not.toMatch(/SECRET/)
    }
  })
})
