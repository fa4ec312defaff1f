import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  configReference,
  configSchema,
  settings,
  settingsOfModel,
  valueAt,
  withValueAt,
} from '../../core/config/index.js'
import { readConfig, setConfigValue } from './config.js'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-config-'))
  file = join(folder, 'deep', 'config.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = async (text: string) => {
  file = join(folder, 'config.json')
  await writeFile(file, text)
}

describe('reading the configuration', () => {
  it('gives the defaults when there is no file', async () => {
    const { config, sources } = await readConfig({ file, environment: {} })
    expect(config).toEqual(configSchema.parse({}))
    expect(config.search).toEqual({ limit: 10, rank: 'hybrid' })
    expect(config.journal).toEqual({ changes: 200, days: 30, megabytes: 1000 })
    expect(new Set(Object.values(sources).map(({ source }) => source))).toEqual(new Set(['default']))
  })

  it.skipIf(process.platform === 'win32')(
    'refuses settings that others on the machine could have written',
    async () => {
      await write('{"search": {"limit": 20}}')
      const read = () => readConfig({ file, environment: {} })
      for (const mode of [0o600, 0o644, 0o640]) {
        await chmod(file, mode)
        expect((await read()).config.search.limit).toBe(20)
      }
      for (const mode of [0o666, 0o602, 0o620, 0o664]) {
        await chmod(file, mode)
        await expect(read()).rejects.toMatchObject({
          code: 'denied',
          details: { hint: `Check the settings, then run: chmod go-w '${file}'` },
        })
        await expect(setConfigValue(file, 'search.limit', '5')).rejects.toMatchObject({ code: 'denied' })
      }
      await chmod(file, 0o600)
      for (const mode of [0o777, 0o770, 0o702]) {
        await chmod(folder, mode)
        await expect(read()).rejects.toMatchObject({
          details: { hint: expect.stringContaining(`chmod go-w '${folder}'`) },
        })
      }
      // In a folder like /tmp, users cannot remove each other's files.
      await chmod(folder, 0o1777)
      expect((await read()).config.search.limit).toBe(20)
    },
  )

  it('lets a flag win over the environment, the environment over the file, the file over the default', async () => {
    await write('{"search": {"limit": 20}}')
    const read = async (environment: Record<string, string>, flags = {}) => {
      const { config, sources } = await readConfig({ file, environment, flags })
      return [config.search.limit, sources['search.limit'].source]
    }
    expect(await read({})).toEqual([20, 'file'])
    expect(await read({ NOTEWRIGHT_SEARCH_LIMIT: '30' })).toEqual([30, 'environment'])
    expect(await read({ NOTEWRIGHT_SEARCH_LIMIT: '30' }, { 'search.limit': 40 })).toEqual([40, 'flag'])
  })

  it('accepts other common names of the vault variable, its own first', async () => {
    const vault = async (environment: Record<string, string>) => {
      const { config, sources } = await readConfig({ file, environment })
      return [config.vault, sources.vault.variable]
    }
    expect(await vault({ OBSIDIAN_VAULT_PATH: '/a' })).toEqual(['/a', 'OBSIDIAN_VAULT_PATH'])
    expect(await vault({ OBSIDIAN_VAULT_PATH: '/a', NOTEWRIGHT_VAULT: '/b' })).toEqual(['/b', 'NOTEWRIGHT_VAULT'])
    expect(await vault({ OBSIDIAN_VAULT_PATH: '' })).toEqual([undefined, undefined])
  })

  it.each([
    ['{"serch": {"limit": 5}}', /unknown setting serch/, undefined],
    ['{"search": {"limt": 5}}', /unknown setting search\.limt/, 'Did you mean search.limit?'],
    ['{"search": {"limit": "five"}}', /search\.limit must be a whole number from 1 to 1000/, undefined],
    ['{"search": 5}', /search must be a group of settings/, undefined],
    ['{"search": {"limit": 0}}', /search\.limit must be/, undefined],
    ['[]', /expected a JSON object/, undefined],
    ['{"search": ', /not valid JSON/, undefined],
    ['{"__proto__": {"limit": 1}}', /unknown setting __proto__/, undefined],
  ])('refuses %s with a sentence that says what is wrong', async (text, message, hint) => {
    await write(text)
    const failure = await readConfig({ file, environment: {} }).catch((error) => error)
    expect(failure).toMatchObject({ code: 'invalid-input', message: expect.stringMatching(message) })
    expect(failure.message).toContain(file)
    if (hint !== undefined) expect(failure.details.hint).toBe(hint)
  })

  it('names the environment variable whose value is wrong', async () => {
    await expect(readConfig({ file, environment: { NOTEWRIGHT_COLOR: 'red' } })).rejects.toThrow(
      'environment variable NOTEWRIGHT_COLOR: color must be auto, always or never',
    )
  })
})

describe('setting a value', () => {
  it('writes it privately and leaves every other key', async () => {
    await setConfigValue(file, 'search.limit', '25')
    await setConfigValue(file, 'exclude', 'Journal/, *.draft.md')
    await setConfigValue(file, 'index.vectors', 'false')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      search: { limit: 25 },
      exclude: ['Journal/', '*.draft.md'],
      index: { vectors: false },
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700)
  })

  it('removes a value when the text is empty', async () => {
    await setConfigValue(file, 'search.limit', '25')
    await setConfigValue(file, 'search.limit', '')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({})
  })

  it('leaves the file as it was when the value or the name is wrong', async () => {
    await write('{"search": {"limit": 5}}')
    await expect(setConfigValue(file, 'search.limit', 'many')).rejects.toThrow('search.limit must be a whole number')
    await expect(setConfigValue(file, 'search.limits', '7')).rejects.toMatchObject({
      details: { hint: 'Did you mean search.limit?' },
    })
    expect(await readFile(file, 'utf8')).toBe('{"search": {"limit": 5}}')
  })

  it('repairs a wrong value in the file', async () => {
    await write('{"search": {"limit": "five"}}')
    await setConfigValue(file, 'search.limit', '5')
    expect((await readConfig({ file, environment: {} })).config.search.limit).toBe(5)
  })

  it('makes a file private that others could read, and follows a link instead of replacing it', async () => {
    const real = join(folder, 'dotfiles.json')
    await writeFile(real, '{}')
    await chmod(real, 0o644)
    file = join(folder, 'config.json')
    await symlink(real, file)
    await setConfigValue(file, 'color', 'never')
    expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ color: 'never' })
    expect((await stat(real)).mode & 0o777).toBe(0o600)
  })
})

describe('dotted names', () => {
  it('reach every setting, and a value put there is found there', () => {
    for (const { key } of settings) expect(valueAt(withValueAt({}, key, 'x'), key)).toBe('x')
  })

  it('leave no empty section', () => {
    expect(withValueAt({ search: { limit: 5 } }, 'search.limit', undefined)).toEqual({})
    expect(withValueAt({ search: { limit: 5, rank: 'x' } }, 'search.limit', undefined)).toEqual({
      search: { rank: 'x' },
    })
  })
})

it('lets the user replace or extend the guidance of any tool', async () => {
  await setConfigValue(file, 'tools.read_note.addGuidance', 'Read headings first.')
  const { config } = await readConfig({ file, environment: {} })
  expect(config.tools.read_note).toEqual({ addGuidance: 'Read headings first.' })
  expect(config.tools.calling).toBe(true)
  await expect(setConfigValue(file, 'tools.read_note.guidence', 'x')).rejects.toThrow('unknown setting')
})

it('keeps docs/reference/config.md in step with the schema (node scripts/build-docs.mjs writes it)', async () => {
  expect(await readFile('docs/reference/config.md', 'utf8')).toBe(configReference())
})

describe('settings of one model', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notewright-config-'))
    file = join(folder, 'config.json')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const read = async (name: string) => settingsOfModel(name, (await readConfig({ file, environment: {} })).config)

  it('apply to that model alone and take precedence over general ones, also where its name has dots', async () => {
    const llama = 'ollama/llama3.2:3b'
    await setConfigValue(file, 'models.window', '6000')
    await setConfigValue(file, 'temperature', '0.5')
    await setConfigValue(file, `models.${llama}.window`, '16384')
    await setConfigValue(file, `models.${llama}.thinking`, 'off')
    await setConfigValue(file, `models.${llama}.steps`, '12')
    expect(await read(llama)).toEqual({
      window: 16_384,
      stallSeconds: 60,
      minutes: 5,
      steps: 12,
      stream: true,
      temperature: 0.5,
      thinking: 'off',
      instructions: undefined,
    })
    expect(await read('ollama/llama3.2')).toMatchObject({ window: 6000, temperature: 0.5 })
    await setConfigValue(file, `models.${llama}.window`, '')
    expect(await read(llama)).toMatchObject({ window: 6000, thinking: 'off' })
  })

  it.each([
    ['models.ollama/qwen3:8b.window', 'big', /models\.ollama\/qwen3:8b\.window must be a whole number of tokens/],
    ['models.stallSeconds', '0', /models\.stallSeconds must be a whole number of seconds/],
    ['thinking', 'maybe', /thinking must be off, on, or a number of tokens/],
    ['turn.steps', '51', /turn\.steps must be a whole number from 1 to 50/],
    ['models.ollama/qwen3:8b.colour', 'red', /unknown setting models\.ollama\/qwen3:8b\.colour/],
  ])('are refused where they mean nothing: %s = %s', async (key, text, expected) => {
    await expect(setConfigValue(file, key, text)).rejects.toThrow(expected)
  })

  it('are refused by name when they are wrong in the file', async () => {
    await writeFile(file, JSON.stringify({ models: { 'ollama/llama3.2:3b': { window: 'big' } } }), { mode: 0o600 })
    await expect(read('ollama/llama3.2:3b')).rejects.toThrow(
      /models\.ollama\/llama3\.2:3b\.window must be a whole number/,
    )
  })
})
