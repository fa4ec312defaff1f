import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashBytes } from '../vault/index.js'
import { redactor } from './redact.js'

const redact = redactor()
const textOf = (value: unknown, using = redact) => JSON.stringify(using(value))

describe('redaction by the look of a text', () => {
  it.each([
    ['an OpenAI key', 'Incorrect API key provided: sk-proj-Ab12Cd34Ef56Gh78', 'Ab12Cd34'],
    ['an Anthropic key', 'x-api-key sk-ant-api03-ZZtopZZtop-9', 'ZZtop'],
    ['a Google key', 'https://host/v1?alt=json&key=AIzaSyD4notARealKey012', 'notARealKey'],
    ['a Google key by itself', 'AIzaSyD4notARealKey0123456789', 'notARealKey'],
    ['a GitHub token', 'remote: ghp_0123456789abcdefABCDEF', '0123456789'],
    ['a Slack token', 'xoxb-12345-67890-abcdef', '67890'],
    ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
    ['a bearer header', 'Authorization: Bearer abc.def-ghi_jkl', 'abc.def'],
    ['a bearer token in prose', 'sent Bearer aaaaBBBBcccc and got 401', 'aaaaBBBB'],
    ['basic credentials', 'used Basic dXNlcjpwYXNzd29yZA== there', 'dXNlcjpw'],
    ['a cookie', 'cookie: sid=31d4d96e407aad42; theme=dark', '31d4d96e'],
    ['a JWT', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'c2lnbmF0'],
    ['user and password in a URL', 'connect to https://ada:lovelace@db.example.org/x', 'lovelace'],
    ['a token as user of a URL', 'git clone https://deadbeefcafe@example.org/x.git', 'deadbeef'],
    ['a query parameter', 'GET /cb?state=1&access_token=qwertyuiop', 'qwertyuiop'],
    ['a signed address', 'https://blob.example.org/a?se=2&sig=Zm9vYmFy', 'Zm9vYmFy'],
    ['a setting', 'export MY_PASSWORD=hunter2', 'hunter2'],
    ['JSON inside a text', '{"client_secret": "s3cr3tvalue"}', 's3cr3tvalue'],
    ['hex after a key word', 'token 5f4dcc3b5aa765d61d8327deb882cf99 expired', '5f4dcc3b'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA\n-----END RSA PRIVATE KEY-----', 'MIIEow'],
  ])('masks %s', (_name, text, secret) => {
    expect(text).toContain(secret)
    expect(textOf(text)).not.toContain(secret)
    expect(textOf({ error: { message: [text] } })).toContain('[redacted]')
  })

  it.each([
    'Projects/Risk-assessment-of-the-desk.md',
    'Tool edit_note validation failed: token: required',
    'The password manager is described in [[Passwords]].',
    'https://example.org/search?q=winter+vegetables&page=2#top',
    '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    'Ask ada@example.org about the basic information',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ])('leaves %s alone', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('redaction by name', () => {
  it('masks whatever a secret name holds, and no counts', () => {
    const names = [
      'Authorization',
      'api_key',
      'X-Auth-Token',
      'clientSecret',
      'password',
      'Set-Cookie',
      'OPENAI_API_KEY',
    ]
    for (const name of names) {
      expect(redact({ [name]: 'plain' })).toEqual({ [name]: '[redacted]' })
      expect(redact({ [name]: ['a', { deep: 'b' }] })).toEqual({ [name]: '[redacted]' })
    }
    const plain = { max_tokens: 100, tokens: 12, tokenizer: 'bpe', key: 'status', keys: ['a'], hasPassword: true }
    expect(redact(plain)).toEqual(plain)
    expect(redact({ key: 'a1b2c3d4e5f6a1b2c3d4e5f6' })).toEqual({ key: '[redacted]' })
  })
})

describe('known secrets', () => {
  it('are masked anywhere, in any spelling', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 60 }).filter((secret) => secret.trim() === secret && secret.length >= 8),
        fc.string({ maxLength: 1500 }),
        fc.string({ maxLength: 300 }),
        (secret, before, after) => {
          fc.pre(!'[redacted]'.includes(secret) && !/^[\d\s… a-z,[\]]*$/.test(secret))
          const hide = redactor({ secrets: [secret] })
          const value = {
            text: before + secret + after,
            [secret]: 1,
            list: [`x${secret}`, encodeURIComponent(secret), JSON.stringify({ secret })],
            error: new Error(`401: ${secret}`),
          }
          const kept = hide(value)
          const seen = JSON.stringify(kept)
          expect(strings(kept).filter((text) => text.includes(secret))).toEqual([])
          expect(seen).not.toContain(encodeURIComponent(secret))
        },
      ),
    )
  })

  it('leave no part where a long text is cut', () => {
    const secret = `CANARY${'x'.repeat(200)}END`
    const hide = redactor({ secrets: [secret] })
    for (let at = 250; at <= 510; at += 7)
      expect(hide('-'.repeat(at) + secret + '-'.repeat(900))).not.toContain('CANARY')
    for (let at = 480; at <= 505; at++)
      expect(redact(`${' '.repeat(at)}sk-proj-CANARY${'x'.repeat(3000)}`)).not.toContain('CANARY')
  })
})

describe('bounds', () => {
  it('cuts a long text to its beginning, length and hash, at whole characters', () => {
    const text = `${'a'.repeat(499)}😀${'b'.repeat(2000)}`
    const hash = hashBytes(new TextEncoder().encode(text))
    expect(redact(text)).toBe(`${'a'.repeat(499)}… [2501 characters, sha256 ${hash}]`)
    expect(redact('a'.repeat(500))).toBe('a'.repeat(500))
  })

  it('says what it left out of wide, deep and endless structures', () => {
    expect(redact(Array.from({ length: 60 }, () => 1))).toEqual([...Array.from({ length: 50 }, () => 1), '[10 more]'])
    expect(redact(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at])))).toMatchObject({
      '…': '[1 more]',
    })
    const circle: { self?: unknown } = {}
    circle.self = { circle }
    expect(redact(circle)).toEqual({ self: { circle: '[circular]' } })
    let deep: unknown = 'end'
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(textOf(deep)).toContain('too deep')
    expect(textOf(Array(1e7))).toContain('more]')
    const wide = (depth: number): unknown => (depth === 0 ? 'leaf' : Array(50).fill(wide(depth - 1)))
    expect(textOf(wide(7)).length).toBeLessThan(100_000)
  })

  it('takes everything that is not JSON without calling it', () => {
    let called = 0
    const odd = {
      big: 10n,
      bytes: new Uint8Array([1, 2]),
      date: new Date(0),
      noDate: new Date(Number.NaN),
      map: new Map([
        ['token', 'x'],
        ['plain', 'y'],
      ]),
      set: new Set([1]),
      call: () => called++,
      symbol: Symbol('s'),
      nothing: undefined,
      infinite: Number.POSITIVE_INFINITY,
      get trap() {
        return called++
      },
      toJSON: () => called++,
      ['__proto__']: 1,
    }
    expect(redact(odd)).toMatchObject({
      big: '10',
      bytes: expect.stringMatching(/^\[2 bytes, sha256 /),
      date: '1970-01-01T00:00:00.000Z',
      noDate: '[no date]',
      map: { token: '[redacted]', plain: 'y' },
      set: [1],
      trap: '[getter]',
      infinite: 'Infinity',
    })
    expect(called).toBe(0)
  })

  it('never throws, and always gives JSON', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    )
    expect(redact({ hostile })).toEqual({ hostile: '[unreadable]' })
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    expect(redact([proxy])).toEqual(['[unreadable]'])
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withDate: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (value) => {
          const kept = redact(value)
          if (kept !== undefined) expect(typeof JSON.stringify(kept)).toBe('string')
        },
      ),
    )
  })
})

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...strings(item)])
}
