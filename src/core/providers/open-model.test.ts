import { describe, expect, it } from 'vitest'
import { askModel, userMessage } from '../model/index.js'
import { scriptedModel } from '../model/testing.js'
import type { OutgoingRequest } from './announced-fetch.js'
import { splitModelName } from './find-provider.js'
import { openModel } from './open-model.js'

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
    ['gpt-4o', 'Name its provider too: openai/gpt-4o'],
    ['claude-sonnet-4-5', 'Name its provider too: anthropic/claude-sonnet-4-5'],
    ['qwen3:8b', 'Name its provider too: ollama/qwen3:8b'],
    ['ollama', 'Name one of its models, like ollama/MODEL. See them: notewright models'],
    ['openai/', 'Name one of its models, like openai/MODEL. See them: notewright models'],
    ['zzzzzzzzz/x', 'There is ollama, lmstudio, openai, anthropic, gemini, openrouter, compatible, offline.'],
  ])('%s is a mistake: %s', async (name, hint) => {
    await expect(open(name)).rejects.toMatchObject({ code: 'invalid-input', details: { hint } })
  })
})

it('sends nothing by opening a model', async () => {
  const { name, provider, model, profile } = await open('ollama/qwen3:8b')
  expect([name, provider, model.modelId, profile.family]).toEqual(['ollama/qwen3:8b', 'ollama', 'qwen3:8b', 'qwen'])
})

it('asks for an address where there is none', async () => {
  await expect(open('compatible/m')).rejects.toMatchObject({
    code: 'network',
    details: { hint: expect.stringContaining('NOTEWRIGHT_COMPATIBLE_URL') },
  })
})

it('has a model that needs neither key nor server', async () => {
  const opened = await open('offline')
  expect(opened).toMatchObject({ name: 'offline', provider: 'offline', profile: { dialect: 'native' } })
  expect(opened.model).toMatchObject({ specificationVersion: 'v3', provider: 'offline' })
})

it('opens models that no server serves', async () => {
  const others = { offline: async () => scriptedModel('offline') }
  const opened = await openModel('offline', { environment: {}, fetch: noFetch, others })
  expect(opened).toMatchObject({ name: 'offline', provider: 'offline', profile: { dialect: 'native' } })
  await expect(openModel('ofline/x', { environment: {}, fetch: noFetch, others })).rejects.toMatchObject({
    details: { hint: 'Did you mean offline?' },
  })
})

it('tells of what is handed to a program that serves a model, before it is', async () => {
  const told: string[] = []
  const others = { codex: async () => scriptedModel('gpt-5') }
  const onRequest = async ({ body, sha256, ...about }: OutgoingRequest) => {
    told.push(body)
    expect(about).toEqual({
      provider: 'codex',
      model: 'gpt-5',
      destination: 'codex on this machine',
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
