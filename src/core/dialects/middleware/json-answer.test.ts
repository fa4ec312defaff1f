import { expect, it } from 'vitest'
import { defaultProfile } from '../../model/index.js'
import { finishPart, scriptedModel } from '../../model/testing.js'
import { withDialect } from './with-dialect.js'

async function answered(pieces: string[]): Promise<string> {
  const parts = pieces.map((delta) => ({ type: 'text-delta' as const, id: 't', delta }))
  const script = [
    { type: 'text-start' as const, id: 't' },
    ...parts,
    { type: 'text-end' as const, id: 't' },
    finishPart(),
  ]
  const model = withDialect(scriptedModel('m', script), { dialect: 'sentinel', profile: defaultProfile })
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'as JSON' }] }],
    responseFormat: { type: 'json' },
  })
  let text = ''
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (next.value.type === 'text-delta') text += next.value.delta
  }
  return text
}

const marked = '\n{"note":"<tool_call>{}</tool_call> and <think>no</think>"}'

it('markers inside an answer that must be JSON are data, however it is cut', async () => {
  for (let at = 0; at <= marked.length; at++) {
    expect(await answered([marked.slice(0, at), marked.slice(at)])).toBe(marked)
  }
})

it('thoughts before such an answer are still thoughts', async () => {
  expect((await answered(['<think>a number</think>', '{"n":1}'])).trim()).toBe('{"n":1}')
})
