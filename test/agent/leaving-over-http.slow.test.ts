import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDialect } from '../../src/core/dialects/index.js'
import { defaultProfile } from '../../src/core/model/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { everyProvider } from '../providers/every-provider.js'
import { dialectsToTry, inDialect } from './in-dialect.js'
import { mockResponse } from './mock-response.js'
import { playScenario } from './play.js'
import { type Scenario, scenarios } from './scenarios.js'

type Spoken = Parameters<typeof mockResponse>[1]

let mock: LLMock
let plays = 0

beforeAll(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
})

afterAll(() => mock.stop())

// A server that falls silent is left without being asked; over-http.test.ts has it.
const speaking = scenarios.filter(({ steps }) => steps.every((step) => !('stall' in step || 'fail' in step)))

describe.each(everyProvider)('over HTTP to $name', ({ name, environment }) => {
  describe.each(dialectsToTry)('in %s', (dialect) => {
    async function play(scenario: Scenario, leaveAfter?: number) {
      const { fetch, underWay } = watchedRequests()
      // A request that was given up may reach the server late: what it asks tells to which play it belongs.
      const mark = `(play ${++plays})`
      let count = 0
      mock.clearFixtures()
      mock.addFixture({
        match: { predicate: (request) => JSON.stringify(request).includes(mark) },
        chunkSize: 7,
        response: async () => mockResponse(name, inDialect(scenario.steps[count++], dialect) as Spoken),
      })
      const { model } = await openModel(name, { environment: environment(mock.url), fetch })
      const asking = { ...scenario, ask: `${scenario.ask} ${mark}` }
      const played = await playScenario(
        asking,
        async () => withDialect(model, { dialect, profile: defaultProfile }),
        leaveAfter,
      )
      return { ...played, underWay, requests: count }
    }

    it.each(speaking)('leaving at any event stops the request and the tools: $name', async (scenario) => {
      const { events } = await play(scenario)
      for (let count = 1; count < events.length; count++) {
        const left = await play(scenario, count)
        expect(left.underWay()).toBe(0)
        expect(left.isAsking()).toBe(false)
        expect(left.log.calls.filter(({ result, error }) => result === undefined && error === undefined)).toEqual([])
        const { changed } = left
        await new Promise((resolve) => setTimeout(resolve, 0))
        expect(left.changedByNow()).toEqual(changed)
        expect(left.requests).toBeLessThanOrEqual(scenario.steps.length)
      }
    })
  })
})

/** A way to the server that knows which answers are neither read to their end nor given up. */
function watchedRequests(): { fetch: typeof fetch; underWay(): number } {
  const open = new Set<AbortSignal>()
  return {
    async fetch(input, init) {
      const signal = init!.signal!
      open.add(signal)
      const response = await fetch(input, init)
      const reader = response.body!.getReader()
      const body = new ReadableStream({
        async pull(controller) {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          open.delete(signal)
          controller.close()
        },
        cancel(reason) {
          open.delete(signal)
          return reader.cancel(reason)
        },
      })
      return new Response(body, response)
    },
    underWay: () => [...open].filter(({ aborted }) => !aborted).length,
  }
}
