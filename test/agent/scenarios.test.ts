import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/core/agent/index.js'
import { dialectsToTry } from './in-dialect.js'
import { normaliseEvents } from './normalise-events.js'
import { playInDialect as play } from './play-in-dialect.js'
import { type Scenario, scenarios } from './scenarios.js'

const outcomeOf = (event: AgentEvent) =>
  event.type === 'tool-result' ? [[event.call.name, event.result.ok ? 'ok' : event.result.code]] : []

describe.each(scenarios)('$name', (scenario) => {
  it('has the expected events', async () => {
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
