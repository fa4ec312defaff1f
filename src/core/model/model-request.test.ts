import { expect, it } from 'vitest'
import { callOptions } from './model-request.js'
import { profileFor } from './profile-for.js'

const options = (model: string, settings = {}, tools: 'none' | 'free' | 'forced' = 'free') =>
  callOptions(profileFor(model), settings, tools)

it('omits a temperature that the model would refuse', () => {
  expect(options('gpt-4o', { temperature: 0.2 }).temperature).toBe(0.2)
  expect(options('gpt-5', { temperature: 0.2 }).temperature).toBeUndefined()
  expect(options('claude-sonnet-4-5', { temperature: 0.2 }).temperature).toBeUndefined()
  expect(options('claude-sonnet-4-5', { temperature: 0.2, thinking: 'off' }).temperature).toBe(0.2)
})

it('translates thinking for each provider', () => {
  expect(options('claude-3-7-sonnet').providerOptions.anthropic).toEqual({
    thinking: { type: 'enabled', budgetTokens: 2048 },
  })
  expect(options('claude-3-7-sonnet', { thinking: 100 }).providerOptions.anthropic).toMatchObject({
    thinking: { budgetTokens: 1024 },
  })
  expect(options('anthropic/claude-3.7-sonnet').providerOptions.openrouter).toEqual({ reasoning: { max_tokens: 2048 } })
  expect(options('gpt-5', { thinking: 'off' }).providerOptions.openai).toMatchObject({ reasoningEffort: 'low' })
  expect(options('gemini-2.5-pro', { thinking: 'off' }).providerOptions.google).toEqual({
    thinkingConfig: { thinkingBudget: 128 },
  })
  expect(options('gemini-3-pro').providerOptions.google).toEqual({ thinkingConfig: { includeThoughts: true } })
  expect(options('gpt-4o', { thinking: 'on' }).providerOptions).toMatchObject({
    openai: { store: false },
    openrouter: {},
  })
})

it('switches thinking off for a forced call', () => {
  expect(options('claude-sonnet-4-5', {}, 'forced').providerOptions.anthropic).toEqual({
    thinking: { type: 'disabled' },
  })
})

it('asks for one call at a time only where there are tools to call', () => {
  const single = { parallelCalls: false }
  expect(options('gpt-4o', single).providerOptions).toMatchObject({
    openai: { parallelToolCalls: false },
    anthropic: { disableParallelToolUse: true },
    openrouter: { parallel_tool_calls: false },
  })
  expect(options('gpt-4o', single, 'none').providerOptions.openai).toEqual({ store: false })
})

it('never lets OpenAI store a request', () => {
  expect(options('gpt-4o').providerOptions.openai).toMatchObject({ store: false })
})
