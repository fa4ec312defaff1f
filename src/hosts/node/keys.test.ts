import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProvider } from '../../core/providers/index.js'
import { type Keyring, keyStore, type SecretStoreOptions } from './keys.js'

const openai = findProvider('openai')
const gemini = findProvider('gemini')
const noKeyring: Keyring = { read: async () => undefined, write: async () => false, remove: async () => false }

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'notewright-keys-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const open = (options: Partial<SecretStoreOptions> = {}) =>
  keyStore({ environment: {}, state: join(root, 'state'), keyring: noKeyring, ...options })
const mode = async (path: string) => (await stat(path)).mode & 0o777
const fileOf = (provider: string) => join(root, 'state', 'keys', provider)

function memoryKeyring(): Keyring & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    read: async (provider) => kept.get(provider),
    write: async (provider, key) => kept.set(provider, key) !== undefined,
    remove: async (provider) => kept.delete(provider),
  }
}

describe('keys in files', () => {
  it('are private, and found again', async () => {
    expect(await open().find(openai)).toBeUndefined()
    expect(await open().set(openai, ' sk-one\n')).toEqual({ source: 'file', where: fileOf('openai') })
    const found = await open().find(openai)
    expect(found).toMatchObject({ source: 'file', where: fileOf('openai') })
    expect(found?.key.reveal()).toBe('sk-one')
    expect([await mode(fileOf('openai')), await mode(join(root, 'state', 'keys'))]).toEqual([0o600, 0o700])
    expect(await open().find(gemini)).toBeUndefined()
  })

  it('replace each other as a whole, and leave no files', async () => {
    await Promise.all(['sk-one', 'sk-two', 'sk-three'].map((key) => open().set(openai, key)))
    expect((await open().find(openai))?.key.reveal()).toMatch(/^sk-(one|two|three)$/)
    expect(await readdir(join(root, 'state', 'keys'))).toEqual(['openai'])
    expect(await open().remove(openai)).toBe(true)
    expect(await open().remove(openai)).toBe(false)
    expect(await open().find(openai)).toBeUndefined()
  })

  it('are made private again when others could read them', async () => {
    await open().set(openai, 'sk-one')
    await chmod(fileOf('openai'), 0o644)
    expect((await open().find(openai))?.key.reveal()).toBe('sk-one')
    expect(await mode(fileOf('openai'))).toBe(0o600)
  })

  it('are not read through a link', async () => {
    await mkdir(join(root, 'state', 'keys'), { recursive: true })
    await writeFile(join(root, 'elsewhere'), 'sk-planted')
    await symlink(join(root, 'elsewhere'), fileOf('openai'))
    expect(await open().find(openai)).toBeUndefined()
    await open().set(openai, 'sk-one')
    expect(await readFile(join(root, 'elsewhere'), 'utf8')).toBe('sk-planted')
  })

  it('are never inside a vault, however its path is written', async () => {
    const vault = join(root, 'vault')
    await mkdir(vault)
    await symlink(vault, join(root, 'also-vault'))
    for (const state of [join(vault, '.notewright'), join(root, 'also-vault', 'state'), vault]) {
      await expect(open({ state, vault }).set(openai, 'sk-one')).rejects.toMatchObject({ code: 'path' })
    }
    await open({ state: join(root, 'vault-beside'), vault }).set(openai, 'sk-one')
    expect(await readdir(vault)).toEqual([])
  })

  it('are never in a folder Obsidian has opened, known or not', async () => {
    await mkdir(join(root, 'notes', '.obsidian'), { recursive: true })
    const store = open({ state: join(root, 'notes', 'deep', 'state') })
    await expect(store.set(openai, 'sk-one')).rejects.toMatchObject({ code: 'path' })
    expect(await readdir(join(root, 'notes'))).toEqual(['.obsidian'])
  })

  it.each(['', ' \n', 'two words', 'line\nbreak', 'sk-ünicode', 'x'.repeat(5000)])(
    'take no %j for a key',
    async (text) => {
      await expect(open().set(openai, text)).rejects.toMatchObject({ code: 'invalid-input' })
    },
  )
})

describe('the source of a key', () => {
  it('is the environment first, by the names in their order', async () => {
    await open().set(gemini, 'from-file')
    const environment = { GOOGLE_GENERATIVE_AI_API_KEY: 'second', GEMINI_API_KEY: ' first ' }
    const found = await open({ environment }).find(gemini)
    expect(found).toMatchObject({ source: 'environment', where: 'GEMINI_API_KEY' })
    expect(found?.key.reveal()).toBe('first')
    const empty = await open({ environment: { GEMINI_API_KEY: ' ' } }).find(gemini)
    expect(empty).toMatchObject({ source: 'file' })
  })

  it('is the keyring before a file, and storing there removes the file', async () => {
    await open().set(openai, 'in-file')
    const keyring = memoryKeyring()
    expect(await open({ keyring }).set(openai, 'in-ring')).toEqual({ source: 'keyring' })
    expect(keyring.kept.get('openai')).toBe('in-ring')
    expect((await open({ keyring }).find(openai))?.source).toBe('keyring')
    expect(await open().find(openai)).toBeUndefined()
    expect(await open({ keyring }).remove(openai)).toBe(true)
    expect(keyring.kept.size).toBe(0)
  })

  it('appears in no log', async () => {
    await open().set(openai, 'sk-canary-1234')
    const found = await open().find(openai)
    expect(inspect(found, { depth: 9, showHidden: true }) + JSON.stringify(found)).not.toContain('canary')
  })
})
