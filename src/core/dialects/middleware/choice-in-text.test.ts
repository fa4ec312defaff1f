import { expect, it } from 'vitest'
import { scriptedModel } from '../../agent/testing/scripted-model.js'
import { askModel, defaultProfile, type ModelRequest, modelFailureData, type ReplyEvent } from '../../model/index.js'
import { withDialect } from '../index.js'

const tools = ['look', 'listen'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
const call = (name: string) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`

async function ask(replies: string[], toolChoice: ModelRequest['toolChoice']) {
  const model = scriptedModel(replies.map((say) => ({ say })))
  const events: ReplyEvent[] = []
  const { signal } = new AbortController()
  const request = { messages: [{ role: 'user' as const, content: 'go' }], tools, toolChoice, signal }
  const wrapped = withDialect(model, { dialect: 'sentinel', profile: defaultProfile })
  for await (const event of askModel(wrapped, request)) events.push(event)
  const said = events.map((event) => (event.type === 'tool-call' ? event.call.name : event.type))
  return { said: said.filter((type) => !/^t(ext|ool-input)/.test(type)), events, asked: model.prompts.length }
}

it.each<[string, ModelRequest['toolChoice'], string[], string[]]>([
  ['required', 'required', ['I will.', call('look')], ['repair', 'look', 'finish']],
  ['one', { tool: 'look' }, [call('listen'), call('look')], ['repair', 'look', 'finish']],
  ['a list', { tools: ['look'], mode: 'auto' }, [call('listen'), 'Well.'], ['repair', 'finish']],
  ['none', 'none', [call('look'), 'Well.'], ['repair', 'finish']],
  ['auto', 'auto', [`${call('smell')} and ${call('look')}`], ['smell', 'look', 'finish']],
])('the choice of tools holds for a model that calls in text: %s', async (_name, choice, replies, expected) => {
  const { said, asked } = await ask(replies, choice)
  expect(said).toEqual(expected)
  expect(asked).toBe(replies.length)
})

it('a model that calls in text and does not keep to the choice twice is a failure', async () => {
  const { events, asked } = await ask(['No.', 'Never.'], 'required')
  const end = events.at(-1)
  expect(end?.type === 'failed' && modelFailureData(end.failure)?.kind).toBe('tool-choice')
  expect(asked).toBe(2)
})
