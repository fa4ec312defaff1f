import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settingsFor } from '../../../core/config/index.js'
import { readConfig, setConfigValue } from './index.js'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-config-'))
  file = join(folder, 'config.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const read = async (name: string) => settingsFor(name, (await readConfig({ file, environment: {} })).config)

describe('what is said about a model', () => {
  it('counts for that model alone, before what is said for all, also where its name has dots', async () => {
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
  ])('is refused where it means nothing: %s = %s', async (key, text, expected) => {
    await expect(setConfigValue(file, key, text)).rejects.toThrow(expected)
  })

  it('is refused by its name when it stands wrong in the file', async () => {
    await writeFile(file, JSON.stringify({ models: { 'ollama/llama3.2:3b': { window: 'big' } } }), { mode: 0o600 })
    await expect(read('ollama/llama3.2:3b')).rejects.toThrow(
      /models\.ollama\/llama3\.2:3b\.window must be a whole number/,
    )
  })
})
