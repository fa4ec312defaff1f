import { describe, expect, it } from 'vitest'
import { type AgentEvent, answeredTurns, conversationOf } from '../../src/core/agent/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { defaultProfile, type ModelMessage, modelFailure } from '../../src/core/model/index.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { dialectsToTry, inDialect } from './in-dialect.js'
import { playScenario } from './play.js'
import { type Scenario, scenarios } from './scenarios.js'

const stalled = modelFailure('stalled', { provider: 'Scripted', modelId: 'm' }, 'Scripted stopped sending.')

describe.each(dialectsToTry)('the events of a run whose model writes %s', (dialect) => {
  const play = (scenario: Scenario, leaveAfter?: number, onRequest: (signal: AbortSignal) => void = () => {}) =>
    playScenario(
      scenario,
      async (steps, onSilence) => {
        const script = steps.map((step) => ({ abortSignal }: { abortSignal?: AbortSignal }): ScriptedStep => {
          onRequest(abortSignal!)
          if (!('stall' in step)) return inDialect(step, dialect)
          onSilence()
          return scenario.stops ? step : { fail: stalled }
        })
        return withDialect(scriptedModel(script), { dialect, profile: defaultProfile })
      },
      leaveAfter,
    )

  it.each(scenarios)('survive JSON, and contain the conversation: $name', async (scenario) => {
    const { events, end } = await play(scenario)
    for (const event of events) expect(JSON.parse(JSON.stringify(event))).toStrictEqual(event)
    const withoutEnd = events.filter(({ type }) => type !== 'run-end')
    expect(conversationOf(withoutEnd)).toEqual(end.messages)
    expect(conversationOf(events)).toEqual(end.messages)
  })

  it.each(scenarios)('can be left at each of them, and everything stops: $name', async (scenario) => {
    const { events } = await play(scenario)
    for (let count = 1; count < events.length; count++) {
      const requests: AbortSignal[] = []
      const left = await play(scenario, count, (signal) => requests.push(signal))
      expect(left.events.map(({ type }) => type)).toEqual(events.slice(0, count).map(({ type }) => type))
      expect(requests.every(({ aborted }) => aborted)).toBe(true)
      expect(left.isAsking()).toBe(false)
      // Whatever was begun has an outcome in the log by now.
      expect(left.log.calls.filter(({ result, error }) => result === undefined && error === undefined)).toEqual([])
      const { changed } = left
      await new Promise((resolve) => setTimeout(resolve, 0))
      expect(left.changedByNow()).toEqual(changed)
    }
  })

  it.each(scenarios)('make a valid prompt wherever they end: $name', async (scenario) => {
    const { events } = await play(scenario)
    for (let length = 0; length <= events.length; length++) {
      const messages = answeredTurns(conversationOf(events.slice(0, length)))
      expectValidPrompt(messages)
      for (const { id, result } of resultsIn(events.slice(0, length))) {
        if (!isCalled(messages, id)) continue
        expect(answerTo(messages, id)).toBe(result)
      }
    }
  })
})

/** Providers require that a prompt begins with a request, and that each call is answered once, right after it. */
function expectValidPrompt(messages: readonly ModelMessage[]): void {
  if (messages.length === 0) return
  expect(messages[0].role).toBe('user')
  for (const [at, message] of messages.entries()) {
    const calls = partsOf(message, 'tool-call')
    const answers = partsOf(message, 'tool-result')
    if (calls.length > 0) expect(partsOf(messages[at + 1], 'tool-result')).toEqual(calls)
    if (answers.length > 0) expect(partsOf(messages[at - 1], 'tool-call')).toEqual(answers)
    expect(message.content.length).toBeGreaterThan(0)
  }
  expect(messages.at(-1)!.role).not.toBe('user')
}

function partsOf(message: ModelMessage | undefined, type: 'tool-call' | 'tool-result'): string[] {
  if (message === undefined || typeof message.content === 'string') return []
  return message.content.flatMap((part) => (part.type === type ? [part.toolCallId] : []))
}

const resultsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-result' ? [{ id: event.call.id, result: event.result.text }] : []))

const isCalled = (messages: readonly ModelMessage[], id: string) =>
  messages.some((message) => partsOf(message, 'tool-call').includes(id))

function answerTo(messages: readonly ModelMessage[], id: string): string | undefined {
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const part of content) {
      if (part.type !== 'tool-result' || part.toolCallId !== id) continue
      return 'value' in part.output ? `${part.output.value}` : undefined
    }
  }
  return undefined
}
