import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/core/agent/index.js'
import { type ScriptedStep, scriptedModel } from '../../src/core/agent/testing/scripted-model.js'
import { withDialect } from '../../src/core/dialects/middleware/index.js'
import { defaultProfile, type LanguageModelV3, modelFailure } from '../../src/core/model/index.js'
import { dialectsToTry, inDialect, type TriedDialect } from './in-dialect.js'
import { normaliseEvents } from './normalise-events.js'
import { type Played, playScenario } from './play.js'
import { type Scenario, scenarios } from './scenarios.js'

const stalled = modelFailure('stalled', { provider: 'Scripted', modelId: 'm' }, 'Scripted stopped sending.')

async function play(scenario: Scenario, dialect: TriedDialect, stream = true): Promise<Played> {
  return playScenario(scenario, async (steps, onSilence) => {
    const script = steps.map((step) => {
      if (!('stall' in step)) return inDialect(step, dialect)
      return (): ScriptedStep => {
        onSilence()
        return scenario.stops ? step : { fail: stalled }
      }
    })
    const model = withDialect(scriptedModel(script), { dialect, profile: defaultProfile })
    return stream ? model : inOnePiece(model)
  })
}

/** A model that never streams: what it says comes at the end. */
function inOnePiece(model: LanguageModelV3): LanguageModelV3 {
  return {
    ...model,
    async doStream(options) {
      const { content, finishReason, usage } = await model.doGenerate(options)
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const [at, piece] of content.entries()) {
              if (piece.type !== 'text' && piece.type !== 'reasoning') {
                controller.enqueue(piece)
                continue
              }
              controller.enqueue({ type: `${piece.type}-start`, id: `${at}` })
              controller.enqueue({ type: `${piece.type}-delta`, id: `${at}`, delta: piece.text })
              controller.enqueue({ type: `${piece.type}-end`, id: `${at}` })
            }
            controller.enqueue({ type: 'finish', finishReason, usage })
            controller.close()
          },
        }),
      }
    },
  }
}

const outcomeOf = (event: AgentEvent) =>
  event.type === 'tool-result' ? [[event.call.name, event.result.ok ? 'ok' : event.result.code]] : []

describe.each(scenarios)('$name', (scenario) => {
  it('goes as it should', async () => {
    const { end, events, changed } = await play(scenario, 'native')
    const { reason, answer, results, kind } = scenario.expected
    expect(end.reason).toBe(reason)
    if (answer !== undefined) expect(end.text).toBe(answer)
    expect(events.flatMap(outcomeOf)).toEqual(results)
    expect(changed).toEqual(scenario.expected.changed ?? {})
    expect(end.failure?.data?.kind).toBe(kind)
  })

  it.each(dialectsToTry.slice(1))('goes the same way when the model writes %s', async (dialect) => {
    const native = await play(scenario, 'native')
    for (const stream of [true, false]) {
      const written = await play(scenario, dialect, stream)
      expect(normaliseEvents(written.events)).toEqual(normaliseEvents(native.events))
      expect(written.changed).toEqual(native.changed)
    }
  })
})

describe('a call that cannot run', () => {
  const readSoil = { name: 'read_note', input: { path: 'Soil.md' } }

  it.each(
    dialectsToTry.flatMap((dialect) => [
      [dialect, { name: 'read_note', input: '{"path": "So' }, 'invalid-input'] as const,
      [dialect, { name: 'reed_note', input: { path: 'Soil.md' } }, 'unknown-tool'] as const,
    ]),
  )('is answered with what to correct, and nothing is run (%s: %o)', async (dialect, call, code) => {
    const steps = [{ call: [call] }, { call: [readSoil] }, { say: 'Compost.' }]
    const results: [string, string][] = [
      [call.name, code],
      ['read_note', 'ok'],
    ]
    const scenario: Scenario = { name: 'broken', ask: 'Read.', steps, expected: { reason: 'answered', results } }
    const { end, events, log } = await play(scenario, dialect)
    expect(events.flatMap(outcomeOf)).toEqual(results)
    expect(end).toMatchObject({ reason: 'answered', text: 'Compost.' })
    expect(log.calls.map(({ decision }) => decision)).toEqual(['refused', 'allowed'])
  })
})
