import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { modelFailure } from '../../core/model/index.js'
import { dialectMemory, installedModels, openAgentModel, similarModels } from './agent-model.js'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'notewright-agent-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const put = async (path: string) => {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), '{}')
}
const place = (environment: Record<string, string> = {}) => ({ environment, home, state: join(home, 'state') })

describe('models on this disk', () => {
  it('are found where Ollama and LM Studio keep them', async () => {
    await put('.ollama/models/manifests/registry.ollama.ai/library/qwen3/8b')
    await put('.ollama/models/manifests/registry.ollama.ai/library/gemma3/latest')
    await put('.lmstudio/models/lmstudio-community/Qwen3-8B-GGUF/model.gguf')
    expect(await installedModels(place())).toEqual([
      'ollama/gemma3',
      'ollama/qwen3:8b',
      'lmstudio/lmstudio-community/Qwen3-8B-GGUF',
    ])
  })

  it('are looked for where OLLAMA_MODELS says, and nothing is no error', async () => {
    await put('elsewhere/manifests/registry.ollama.ai/library/phi4/latest')
    expect(await installedModels(place({ OLLAMA_MODELS: join(home, 'elsewhere') }))).toEqual(['ollama/phi4'])
    expect(await installedModels(place())).toEqual([])
  })
})

describe('the remembered dialect of a model', () => {
  it('is stored across processes, privately, and is forgotten with a damaged file', async () => {
    const state = join(home, 'state')
    await dialectMemory(state).remember('ollama/a', 'sentinel')
    await dialectMemory(state).remember('ollama/b', 'native')
    expect(await dialectMemory(state).recall('ollama/a')).toBe('sentinel')
    expect((await stat(join(state, 'state.db'))).mode & 0o777).toBe(0o600)
    await rm(join(state, 'state.db-wal'), { force: true })
    await rm(join(state, 'state.db-shm'), { force: true })
    await writeFile(join(state, 'state.db'), 'this is not a database '.repeat(500))
    expect(await dialectMemory(state).recall('ollama/a')).toBeUndefined()
  })
})

describe('opening a model', () => {
  it('finds offline by its name, and fails for a key that is missing', async () => {
    expect(await openAgentModel('offline', place())).toMatchObject({ name: 'offline', provider: 'offline' })
    await expect(openAgentModel('openai/gpt-5', place())).rejects.toMatchObject({ code: 'network' })
  })

  it('refuses an unknown dialect', async () => {
    await expect(openAgentModel('ollama/x', { ...place(), dialect: 'klingon' })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })

  it('queries no provider for similar names unless the model was unknown', async () => {
    const failure = modelFailure('key', { provider: 'Ollama', modelId: 'x' }, 'No.')
    expect(await similarModels('ollama/x', failure, place(), new AbortController().signal)).toEqual([])
  })
})
