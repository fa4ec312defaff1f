import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withDialect } from '../../src/core/dialects/index.js'
import { defaultProfile, type LanguageModelV3, modelFailure } from '../../src/core/model/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { everyProvider } from '../providers/every-provider.js'
import { isSlowRun } from '../runner/how-often.js'
import { dialectsToTry, inDialect } from './in-dialect.js'
import { mockResponse } from './mock-response.js'
import { normaliseEvents } from './normalise-events.js'
import { type Played, playScenario } from './play.js'
import { type Scenario, scenarios } from './scenarios.js'

let mock: LLMock
let release = () => {}

// One for each test: a request that was given up may reach its server late, and must not be the next test's first.
beforeEach(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
})

afterEach(async () => {
  release()
  await mock.stop()
})

/** The server says one step for each request; in a step of silence it says nothing until the test is over. */
function serve(provider: string, steps: readonly ScriptedStep[], onSilence: () => void): void {
  let count = 0
  mock.addFixture({
    match: { predicate: () => true },
    chunkSize: 7,
    async response() {
      const step = steps[count++]
      if (step === undefined) throw new Error('asked for more steps than there are')
      if ('fail' in step) throw step.fail
      if ('stall' in step) {
        onSilence()
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return { content: 'late', finishReason: 'stop' }
      }
      return mockResponse(provider, step)
    },
  })
}

/** A request that is neither answered nor stopped. */
function silenceIn({ steps, expected }: Scenario): number {
  return expected.kind === 'stalled' ? steps.findIndex((step) => 'stall' in step) : steps.length
}

/** Waits for answers that come, however busy the machine is, and not for the one that never comes. */
function lessPatient(patient: LanguageModelV3, impatient: LanguageModelV3, from: number): LanguageModelV3 {
  let count = 0
  const next = () => (count++ < from ? patient : impatient)
  return {
    ...patient,
    doGenerate: (options) => next().doGenerate(options),
    doStream: (options) => next().doStream(options),
  }
}

/** The same scenario without any provider. */
const known = new Map<Scenario, Promise<Played>>()

function reference(scenario: Scenario): Promise<Played> {
  const stalled = modelFailure('stalled', { provider: 'Scripted', modelId: 'm' }, 'Scripted stopped sending.')
  const played =
    known.get(scenario) ??
    playScenario(scenario, async (steps, onSilence) =>
      scriptedModel(
        steps.map((step) => () => {
          if (!('stall' in step)) return step
          onSilence()
          return scenario.stops ? step : { fail: stalled }
        }),
      ),
    )
  known.set(scenario, played)
  return played
}

describe.each(everyProvider)('over HTTP to $name', ({ name, environment }) => {
  // The others are tried without HTTP in scenarios.test.ts.
  describe.each(isSlowRun ? dialectsToTry : ['native' as const])('in %s', (dialect) => {
    it.each(scenarios)('$name', async (scenario) => {
      const { events, changed } = await playScenario(scenario, async (steps, onSilence) => {
        const written = steps.map((step) => inDialect(step, dialect))
        serve(name, written, onSilence)
        const open = (stallMs?: number) => openModel(name, { environment: environment(mock.url), fetch, stallMs })
        const model = lessPatient((await open()).model, (await open(50)).model, silenceIn(scenario))
        return withDialect(model, { dialect, profile: defaultProfile })
      })
      const expected = await reference(scenario)
      expect(normaliseEvents(events)).toEqual(normaliseEvents(expected.events))
      expect(changed).toEqual(expected.changed)
    })
  })
})
