import { expect, it } from 'vitest'
import { findSetting, settings } from './settings.js'

it.each([
  ['consent', { takes: 'choice', choices: expect.arrayContaining(['read-only', 'ask', 'auto']) }],
  ['stream', { takes: 'yes-no' }],
  ['search.limit', { takes: 'number' }],
  ['exclude', { takes: 'list' }],
  ['prices', { takes: 'json' }],
  ['thinking', { takes: 'text' }],
  ['models.ollama/qwen3:8b.window', { takes: 'number' }],
  ['projects.garden.folders', { takes: 'list' }],
])('derives the form of %s from its schema', (key, form) => expect(findSetting(key)?.form).toEqual(form))

it('has a form for every setting', () => {
  expect(settings.filter(({ form }) => form === undefined)).toEqual([])
})
