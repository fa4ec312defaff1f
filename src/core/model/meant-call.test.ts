import { expect, it } from 'vitest'
import { textCallFailure } from './meant-call.js'

it('a model that writes its calls as text is answered with the setting for it, as it is set where the person is', () => {
  const who = { provider: 'Ollama', modelId: 'small' }
  const howToSet = (setting: string, value: string) => `Settings → ${setting}: ${value}`
  expect(textCallFailure({ ...who, howToSet }).details.hint).toBe('Let its text be read: Settings → dialect: sentinel')
  expect(textCallFailure(who).details.hint).toBeUndefined()
})
