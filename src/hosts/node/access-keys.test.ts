import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AccessKeys, accessKeys, keyRoutes } from './access-keys.js'

let state: string
let time = Date.parse('2026-01-01T12:00:00Z')
const open = (): AccessKeys => accessKeys(state, { now: () => time })
const terms = { routes: keyRoutes, vaults: ['/notes'], level: 'read-only' as const, trustsForms: false }

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'notewright-keys-'))
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

it('keeps the hash of a key, and finds the key by its secret in every process', () => {
  const { key, secret } = open().create({ name: 'editor', ...terms })
  const other = open()
  expect(other.find(secret)).toEqual(key)
  for (const wrong of [`${secret}x`, secret.slice(0, -1), secret.toUpperCase(), '']) {
    expect(other.find(wrong)).toBeUndefined()
  }
  other.close()
  expect(readFileSync(join(state, 'serve/access-keys.db'), 'latin1')).not.toContain(secret.slice(4))
})

it('knows a revoked key as revoked at once in all processes, and its name is free again for another', () => {
  const [server, terminal] = [open(), open()]
  const { key, secret } = terminal.create({ name: 'editor', ...terms })
  expect(server.find(secret)?.revokedAt).toBeUndefined()
  terminal.revoke('editor')
  expect(server.find(secret)?.revokedAt).toBeDefined()
  expect(server.list()).toEqual([])
  const again = terminal.create({ name: 'editor', ...terms })
  expect(again.key.id).not.toBe(key.id)
  expect(() => terminal.revoke('nobody')).toThrow('Access key not found: nobody')
})

it('notes when a key was last used', () => {
  const keys = open()
  const { key } = keys.create({ name: 'editor', ...terms })
  keys.used(key)
  expect(keys.list()[0].lastUsedAt).toBe('2026-01-01T12:00:00.000Z')
  time += 120_000
  keys.used(keys.list()[0])
  expect(keys.list()[0].lastUsedAt).toBe('2026-01-01T12:02:00.000Z')
})

it('accepts only plain, unique names', () => {
  const keys = open()
  keys.create({ name: 'editor', ...terms })
  expect(() => keys.create({ name: 'editor', ...terms })).toThrow('already')
  for (const name of ['', 'Editor', 'a b', 'a@b', '-a', 'a'.repeat(41), 'a\n']) {
    expect(() => keys.create({ name, ...terms })).toThrow('is not a valid name for an access key')
  }
})
