import { expect, it } from 'vitest'
import { settingNamed, settings } from './settings.js'

it.each([
  ['consent', { takes: 'choice', choices: expect.arrayContaining(['read-only', 'ask', 'auto']) }],
  ['stream', { takes: 'yes-no' }],
  ['search.limit', { takes: 'number' }],
  ['exclude', { takes: 'list' }],
  ['prices', { takes: 'json' }],
  ['thinking', { takes: 'text' }],
  ['models.ollama/qwen3:8b.window', { takes: 'number' }],
  ['projects.garden.folders', { takes: 'list' }],
])('%s is filled in as its schema says', (key, form) => expect(settingNamed(key)?.form).toEqual(form))

it('no setting is without a form', () => {
  expect(settings.filter(({ form }) => form === undefined)).toEqual([])
})
