import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { enhanceSystemPrompt, enhanceUserMessage } from './profile.js'
import { profileFor } from './profile-for.js'

it('appends the rules of a family at the end, so that the beginning stays the same for all families', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string({ minLength: 1 }),
      fc.constantFrom('gpt-4o', 'gemini-2.5-pro', 'x'),
      (base, tools, model) => {
        const prompt = enhanceSystemPrompt(profileFor(model), base, tools)
        expect(enhanceSystemPrompt(profileFor(model), base, tools)).toBe(prompt)
        const start = [base, tools].filter((part) => part.trim() !== '').join('\n\n')
        expect(prompt.startsWith(start)).toBe(true)
      },
    ),
  )
})

it('says nothing about tools where there are none', () => {
  expect(enhanceSystemPrompt(profileFor('gpt-4o'), 'You help.')).toBe('You help.')
})

it('instructs GPT to call, Claude 4 to stop after the call, and Gemini not to ask', () => {
  const prompt = (model: string) => enhanceSystemPrompt(profileFor(model), 'Base.', 'Tools.')
  expect(prompt('gpt-4o')).toMatch(/without making it/)
  expect(prompt('gpt-5')).toMatch(/at most two calls/)
  expect(prompt('claude-sonnet-4-5')).toMatch(/right after the last call/)
  expect(prompt('gemini-2.5-flash')).toMatch(/Do not ask/)
  expect(prompt('some-model')).toBe('Base.\n\nTools.')
})

it('reminds only families that need it, and only when tools are needed', () => {
  expect(enhanceUserMessage(profileFor('gpt-4o'), 'Find it', true)).toMatch(/^Find it\n\n.*call the tool now/)
  expect(enhanceUserMessage(profileFor('gpt-4o'), 'Find it', false)).toBe('Find it')
  expect(enhanceUserMessage(profileFor('claude-sonnet-4'), 'Find it', true)).toBe('Find it')
})
