import { format, inspect } from 'node:util'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { redactKeys, secret } from './secrets.js'

it('shows a secret only through reveal()', () => {
  const hidden = secret('sk-live-abc')
  const error = new Error('failed', { cause: { key: hidden } })
  const everything = [
    `${hidden}`,
    String(hidden),
    JSON.stringify({ hidden }),
    inspect(hidden, { showHidden: true, depth: 9 }),
    format('%o %j %s', hidden, hidden, hidden),
    inspect(error, { depth: 9 }),
    JSON.stringify({ ...hidden }),
    JSON.stringify(Object.entries(hidden)),
  ]
  expect(everything.join('\n')).not.toContain('abc')
  expect(hidden.reveal()).toBe('sk-live-abc')
})

it('removes a known key from any text, escaped or not', () => {
  const key = fc.string({ minLength: 6, maxLength: 60 }).filter((text) => text.trim() !== '' && !'[key]'.includes(text))
  fc.assert(
    fc.property(fc.string(), key, fc.string(), (before, value, after) => {
      fc.pre(!`${before}${after}`.includes(value) && !'[key]'.includes(value))
      const clean = redactKeys(`${before} ${value} ${JSON.stringify(value)} ${after}`, [value])
      expect(clean.split('[key]').join(' ')).not.toContain(value)
    }),
  )
})

it('also removes anything that looks like a key', () => {
  for (const key of [
    'sk-proj-abcdefgh12',
    'sk-ant-api03-xyzxyzxyz',
    'sk-or-v1-0123456789',
    'AIzaSyA-0123456789',
    'sk-ab****cdef12',
  ]) {
    expect(redactKeys(`Incorrect API key provided: ${key}.`, [])).not.toContain(key.slice(0, 8))
  }
  expect(redactKeys('Bearer abcdef0123456', [])).toBe('[key]')
})

it('leaves ordinary words alone', () => {
  const text = 'The task-list of model sk is not found: ask again.'
  expect(redactKeys(text, ['', 'a', 'is'])).toBe(text)
})
