import { describe, expect, it } from 'vitest'
import { profileFor } from './profile-for.js'
import { families } from './profiles/index.js'

describe('the profile of a model', () => {
  it.each([
    ['gpt-4o', 'gpt'],
    ['chatgpt-4o-latest', 'gpt'],
    ['o3-mini', 'gpt'],
    ['openai/gpt-5.1', 'gpt'],
    ['gpt-oss:20b', 'gpt-oss'],
    ['openai/gpt-oss-120b', 'gpt-oss'],
    ['claude-sonnet-4-20250514', 'claude'],
    ['anthropic/claude-3.7-sonnet', 'claude'],
    ['us.anthropic.claude-opus-4-6-v1', 'claude'],
    ['gemini-2.5-pro', 'gemini'],
    ['gemma3:4b', 'gemma'],
    ['llama3.2', 'llama'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama'],
    ['qwen3:8b', 'qwen'],
    ['qwq-32b', 'qwen'],
    ['mixtral-8x7b', 'mistral'],
    ['magistral-small', 'mistral'],
    ['deepseek-r1-distill-qwen-7b', 'deepseek'],
    ['deepseek-chat', 'deepseek'],
    ['glm-4.6', 'glm'],
    ['kimi-k2-thinking', 'kimi'],
    ['moonshotai/kimi-k2', 'kimi'],
    ['my-own-finetune', 'default'],
    ['', 'default'],
  ])('%s is of the family %s', (model, family) => {
    expect(profileFor(model).family).toBe(family)
  })

  it('ignores the folder of a model', () => {
    expect(profileFor('claude-fans/pebble-2').family).toBe('default')
    expect(profileFor('meta-llama/some-new-thing').family).toBe('default')
  })

  it('is found for every family', () => {
    expect(families.map(({ profile }) => profile.family).sort()).toEqual(
      ['claude', 'deepseek', 'gemini', 'gemma', 'glm', 'gpt', 'gpt-oss', 'kimi', 'llama', 'mistral', 'qwen'].sort(),
    )
  })

  it('gives small models fewer steps', () => {
    for (const small of ['llama3.2:3b', 'qwen2.5-7b-instruct', 'gemma-3-4b-it', 'qwen3:0.6b', 'smollm2:360m']) {
      expect([small, profileFor(small).stepLimit]).toEqual([small, 8])
    }
    for (const large of ['llama3.3:70b', 'qwen3-30b-a3b', 'gpt-4o', 'mixtral-8x22b']) {
      expect([large, profileFor(large).stepLimit]).toEqual([large, 10])
    }
  })

  it('knows which models take no temperature', () => {
    expect(profileFor('gpt-5-mini').temperature).toBe('never')
    expect(profileFor('o4-mini').temperature).toBe('never')
    expect(profileFor('gpt-4o').temperature).toBe('allowed')
    expect(profileFor('claude-3-7-sonnet-latest').temperature).toBe('not-while-thinking')
    expect(profileFor('claude-3-5-haiku-latest').temperature).toBe('allowed')
    expect(profileFor('claude-opus-5').temperature).toBe('never')
  })

  it('knows which models think by default, and how', () => {
    expect(profileFor('claude-sonnet-4-5').thinking).toMatchObject({ control: 'budget', standard: 'on' })
    expect(profileFor('claude-3-5-haiku-latest').thinking.control).toBe('none')
    expect(profileFor('deepseek-r1:14b')).toMatchObject({ startsInReasoning: true, thinking: { control: 'always' } })
  })

  it('knows which models have no tool protocol', () => {
    expect(profileFor('gemma-2-9b-it').dialect).toBe('sentinel')
    expect(profileFor('gemma4:12b').dialect).toBe('auto')
    expect(profileFor('llama2:13b').dialect).toBe('sentinel')
    expect(profileFor('llama3.1:8b').dialect).toBe('auto')
    expect(profileFor('gpt-4o').dialect).toBe('native')
  })
})
