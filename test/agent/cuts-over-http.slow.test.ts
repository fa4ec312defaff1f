import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeredTurns, conversationOf } from '../../src/core/agent/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { askModel, defaultProfile, type ModelMessage, userMessage } from '../../src/core/model/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { everyProvider } from '../providers/every-provider.js'
import { dialectsToTry } from './in-dialect.js'
import { mockResponse } from './mock-response.js'
import { playScenario } from './play.js'
import { scenarios } from './scenarios.js'

let mock: LLMock
let cuts: ModelMessage[][]

beforeAll(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
  cuts = await allCuts()
})

afterAll(() => mock.stop())

describe.each(everyProvider)('a conversation cut anywhere, over HTTP to $name', ({ name, environment }) => {
  it.each(dialectsToTry)('is accepted and answered in %s', async (dialect) => {
    mock.clearFixtures()
    mock.addFixture({
      match: { predicate: () => true },
      response: async () => mockResponse(name, { say: 'Going on.' }),
    })
    const { model } = await openModel(name, { environment: environment(mock.url), fetch })
    const speaking = withDialect(model, { dialect, profile: defaultProfile })
    for (const messages of cuts) {
      const asked = [...messages, userMessage('Where were we?')]
      const { signal } = new AbortController()
      let ended: string | undefined
      for await (const event of askModel(speaking, { messages: asked, tools, profile: defaultProfile, signal })) {
        if (event.type === 'finish') ended = event.reason
        if (event.type === 'failed') ended = event.failure.message
      }
      expect(ended, JSON.stringify(asked)).toBe('stop')
    }
  })

  it('reaches the provider with an answer to every call', async () => {
    mock.clearFixtures()
    const sent: Record<string, unknown>[] = []
    mock.addFixture({
      match: {
        predicate: (request) => {
          sent.push(request as never)
          return true
        },
      },
      response: async () => mockResponse(name, { say: 'Going on.' }),
    })
    const { model } = await openModel(name, { environment: environment(mock.url), fetch })
    for (const messages of cuts) {
      const { signal } = new AbortController()
      const asked = { messages: [...messages, userMessage('Where were we?')], tools, profile: defaultProfile, signal }
      for await (const _ of askModel(model, asked));
    }
    expect(sent.length).toBeGreaterThanOrEqual(cuts.length)
    for (const request of sent) expectAnswered(request)
  })
})

const tools = ['search_notes', 'read_note', 'append_note'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
}))

/** Every conversation that some cut of some scenario leaves, each once. */
async function allCuts(): Promise<ModelMessage[][]> {
  const found = new Map<string, ModelMessage[]>()
  for (const scenario of scenarios) {
    const { events } = await playScenario(scenario, async (steps, onSilence) =>
      scriptedModel(
        steps.map((step) => (): ScriptedStep => {
          if (!('stall' in step)) return step
          onSilence()
          return scenario.stops ? step : { fail: new Error('stalled') }
        }),
      ),
    )
    for (let length = 0; length <= events.length; length++) {
      const messages = answeredTurns(conversationOf(events.slice(0, length)))
      found.set(JSON.stringify(messages), messages)
    }
  }
  expect(found.size).toBeGreaterThan(20)
  return [...found.values()]
}

/** aimock hands every provider's request over in OpenAI's form, in its own order: each call has one answer behind it. */
function expectAnswered(request: Record<string, unknown>): void {
  const messages = request.messages as { tool_calls?: { id: string }[]; tool_call_id?: string }[]
  for (const [at, { tool_calls: calls = [] }] of messages.entries()) {
    const answered = messages.slice(at + 1).flatMap(({ tool_call_id: id }) => id ?? [])
    for (const { id } of calls) expect(answered.filter((each) => each === id)).toHaveLength(1)
  }
}
