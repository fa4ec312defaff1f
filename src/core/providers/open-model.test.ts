import { describe, expect, it } from 'vitest'
import { replayingModel } from '../../../test/doubles/replaying-model.js'
import { askModel, userMessage } from '../model/index.js'
import { splitModelName } from './connect.js'
import { openModel } from './open-model.js'
import type { Advice } from './provider.js'
import type { OutgoingRequest } from './provider-fetch.js'

const noFetch = () => Promise.reject(new Error('nothing may be sent'))
const open = (name: string, environment: Record<string, string> = {}) =>
  openModel(name, { environment, fetch: noFetch })

describe('the name of a model', () => {
  it.each([
    ['openai/gpt-4o', 'openai', 'gpt-4o'],
    ['openrouter/anthropic/claude-sonnet-4', 'openrouter', 'anthropic/claude-sonnet-4'],
    ['ollama/hf.co/someone/model:Q4', 'ollama', 'hf.co/someone/model:Q4'],
  ])('%s is split at the first slash', (name, provider, modelId) => {
    expect(splitModelName(name)).toEqual({ provider, modelId })
  })

  it.each([
    ['opnai/gpt-4o', 'Did you mean openai?'],
    ['google/gemini-2.5-pro', 'Did you mean gemini?'],
    ['lm-studio/qwen3', 'Did you mean lmstudio?'],
    ['gpt-4o', 'Add the provider: openai/gpt-4o'],
    ['claude-sonnet-4-5', 'Add the provider: anthropic/claude-sonnet-4-5'],
    ['qwen3:8b', 'Add the provider: ollama/qwen3:8b'],
    ['ollama', 'Write it as ollama/MODEL, with one of its models.'],
    ['openai/', 'Write it as openai/MODEL, with one of its models.'],
    ['zzzzzzzzz/x', 'Available: ollama, lmstudio, openai, anthropic, gemini, openrouter, compatible, offline.'],
  ])('%s is a mistake: %s', async (name, hint) => {
    await expect(open(name)).rejects.toMatchObject({ code: 'invalid-input', details: { hint } })
  })
})

it('sends nothing when a model is opened', async () => {
  const { name, provider, model, profile } = await open('ollama/qwen3:8b')
  expect([name, provider, model.modelId, profile.family]).toEqual(['ollama/qwen3:8b', 'ollama', 'qwen3:8b', 'qwen'])
})

it('asks for an address if there is none', async () => {
  await expect(open('compatible/m')).rejects.toMatchObject({
    code: 'network',
    details: { hint: expect.stringContaining('NOTEWRIGHT_COMPATIBLE_URL') },
  })
})

it('gives hints for the current front end: no terminal command in an app', async () => {
  const advice: Advice = {
    key: ({ name }) => `Keys → ${name}.`,
    address: ({ name }) => `see Addresses → ${name}`,
    models: ({ name }) => `Models → ${name}.`,
    setting: (name, value) => `${name} → ${value}`,
  }
  const opening = (name: string, environment: Record<string, string>, status: number, said: string) =>
    openModel(name, {
      environment,
      // As OpenAI answers: https://platform.openai.com/docs/guides/error-codes
      fetch: async () => new Response(JSON.stringify({ error: { message: said } }), { status }),
      advice,
    })
  const hintOf = async (model: Awaited<ReturnType<typeof openModel>>) => {
    for await (const part of askModel(model.model, {
      messages: [userMessage('Hello')],
      signal: new AbortController().signal,
    }))
      if (part.type === 'failed') return part.failure.details.hint
    return undefined
  }
  const key = { OPENAI_API_KEY: 'sk-1' }
  expect(await hintOf(await opening('openai/gpt-5', key, 401, 'Incorrect API key provided'))).toMatch(
    /^Keys → OpenAI\./,
  )
  expect(await hintOf(await opening('openai/none', key, 404, 'The model `none` does not exist'))).toBe(
    'Models → OpenAI.',
  )
  expect((await (await opening('openai/gpt-5', key, 200, '')).window!()).hint).toContain(
    'models.openai/gpt-5.window → ',
  )
  await expect(opening('openai/gpt-5', {}, 200, '')).rejects.toMatchObject({
    details: { hint: expect.stringMatching(/^Keys/) },
  })
  await expect(opening('compatible/m', {}, 200, '')).rejects.toMatchObject({
    details: { hint: 'See Addresses → OpenAI-compatible server, like http://127.0.0.1:8080/v1' },
  })
})

it('has a model that needs neither key nor server', async () => {
  const opened = await open('offline')
  expect(opened).toMatchObject({ name: 'offline', provider: 'offline', profile: { dialect: 'native' } })
  expect(opened.model).toMatchObject({ specificationVersion: 'v3', provider: 'offline' })
})

it('opens models without a server', async () => {
  const others = { offline: async () => replayingModel('offline') }
  const opened = await openModel('offline', { environment: {}, fetch: noFetch, others })
  expect(opened).toMatchObject({ name: 'offline', provider: 'offline', profile: { dialect: 'native' } })
  await expect(openModel('ofline/x', { environment: {}, fetch: noFetch, others })).rejects.toMatchObject({
    details: { hint: 'Did you mean offline?' },
  })
})

it('logs requests to a program that serves a model, before they are sent', async () => {
  const told: string[] = []
  const others = { codex: async () => replayingModel('gpt-5') }
  const onRequest = async ({ body, sha256, ...about }: OutgoingRequest) => {
    told.push(body)
    expect(about).toEqual({
      provider: 'codex',
      model: 'gpt-5',
      destination: 'codex on this computer',
      bytes: body.length,
    })
    expect(sha256).toMatch(/^\w{64}$/)
  }
  const { model } = await openModel('codex/gpt-5', { environment: {}, fetch: noFetch, others, onRequest })
  const request = { messages: [userMessage('Hello')], signal: new AbortController().signal }
  for await (const _ of askModel(model, request)) {
  }
  expect(told).toEqual([expect.stringContaining('Hello')])
})
