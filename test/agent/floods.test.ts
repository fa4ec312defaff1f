import { describe, expect, it } from 'vitest'
import { type ScriptedStep, scriptedModel } from '../../src/core/agent/testing/scripted-model.js'
import { withDialect } from '../../src/core/dialects/middleware/index.js'
import { defaultProfile } from '../../src/core/model/index.js'
import { dialectsToTry, inDialect, type TriedDialect } from './in-dialect.js'
import { playTurn } from './play.js'

const readSoil = { name: 'read_note', input: { path: 'Soil.md' } }
const readBeans = { name: 'read_note', input: { path: 'Garden/Beans.md' } }

/** Says the steps in turn, and then the last one for ever. Without tools it answers. */
function play(dialect: TriedDialect, steps: (at: number) => ScriptedStep, maxSteps?: number) {
  let at = 0
  const model = scriptedModel([
    ({ prompt }) => {
      const isLast = JSON.stringify(prompt.at(-1)).includes('No more tools can be called now')
      return inDialect(isLast ? { say: 'Enough.' } : steps(at++), dialect)
    },
  ])
  const setup = { ...(maxSteps && { maxSteps }) }
  return playTurn(withDialect(model, { dialect, profile: defaultProfile }), 'Go.', { setup })
}

describe.each(dialectsToTry)('a model gone wrong, in %s', (dialect) => {
  it('is stopped when it makes the same call for ever', async () => {
    const { end, log, events } = await play(dialect, () => ({ call: [readSoil] }))
    expect(end).toMatchObject({ reason: 'step-limit', text: 'Enough.' })
    expect(log.calls).toHaveLength(1)
    expect(events.some(({ type }) => type === 'notice')).toBe(true)
  })

  it('is stopped when it goes back and forth for ever', async () => {
    const { end, log } = await play(dialect, (at) => ({ call: [at % 2 ? readSoil : readBeans] }))
    expect(end).toMatchObject({ reason: 'step-limit', text: 'Enough.' })
    expect(log.calls).toHaveLength(2)
  })

  it('is stopped at the step limit when every call is another', async () => {
    const { end } = await play(
      dialect,
      (at) => ({ call: [{ name: 'search_notes', input: { query: `try ${at}` } }] }),
      6,
    )
    expect(end).toMatchObject({ reason: 'step-limit', text: 'Enough.', steps: 6 })
  })

  it('runs nothing from arguments that break off, or for a tool that is not there', async () => {
    const { end, log, events } = await play(dialect, (at) => {
      if (at === 0) return { call: [{ name: 'read_note', input: '{"path": ' }] }
      return at === 1 ? { call: [{ name: 'make_coffee', input: {} }] } : { say: 'Sorry.' }
    })
    expect(end).toMatchObject({ reason: 'answered', text: 'Sorry.' })
    const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.result.ok] : []))
    expect(results).toEqual([false, false])
    expect(log.calls.map(({ decision }) => decision)).toEqual(['refused', 'refused'])
  })

  it('runs a few of 10,000 calls in one step, and says so to the model', async () => {
    const call = Array.from({ length: 10_000 }, (_, at) => ({ name: 'search_notes', input: { query: `q${at}` } }))
    const { end, log, events } = await play(dialect, (at) => (at === 0 ? { call } : { say: 'Sorry.' }))
    expect(end).toMatchObject({ reason: 'answered', text: 'Sorry.' })
    expect(log.calls.filter(({ decision }) => decision === 'allowed').length).toBeLessThan(50)
    expect(log.calls.length).toBeLessThan(200)
    const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.result] : []))
    expect(results.at(-1)).toMatchObject({ ok: false, text: expect.stringContaining('tool calls in one step') })
  })

  it('is told that arguments of 20 MB are too much', async () => {
    const input = { path: 'New.md', content: 'x'.repeat(20 * 1024 * 1024) }
    const { end, changed, events } = await play(dialect, (at) =>
      at === 0 ? { call: [{ name: 'write_note', input }] } : { say: 'Sorry.' },
    )
    expect(end).toMatchObject({ reason: 'answered', text: 'Sorry.' })
    expect(changed).toEqual({})
    expect(events.find((event) => event.type === 'tool-result')?.result).toMatchObject({ ok: false, code: 'too-large' })
  })
})
