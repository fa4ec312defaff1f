import { expect } from 'vitest'
import { withDialect } from '../../../src/core/dialects/index.js'
import { defaultProfile } from '../../../src/core/model/index.js'
import { dialectsToTry, inDialect, type TriedDialect } from '../../agent/in-dialect.js'
import { type Played, playTurn } from '../../agent/play.js'
import { type ScriptedStep, scriptedModel } from '../../doubles/scripted-model.js'
import { type Check, quoted, type SecurityCase } from '../security-case.js'

const readSoil = { name: 'read_note', input: { path: 'Soil.md' } }
const readBeans = { name: 'read_note', input: { path: 'Garden/Beans.md' } }

/** A model that has gone wrong, in every way the case names. */
export function floodChecks(of: SecurityCase): Check[] {
  const [cut] = quoted(of.setup)
  const calls = Number(/([\d ]+) calls in one step/.exec(of.setup)![1].replaceAll(' ', ''))
  const characters = Number(/args (\d+) MB/.exec(of.setup)![1]) * 1024 * 1024
  return dialectsToTry.flatMap((dialect): Check[] => [
    {
      name: `the same call for ever is stopped, and the person is told why (${dialect})`,
      run: async () => {
        const played = await play(dialect, () => ({ call: [readSoil] }))
        expect(played.end).toMatchObject({ reason: 'step-limit', text: 'Enough.' })
        expect(played.log.calls).toHaveLength(1)
        expect(noticesOf(played)).toEqual([expect.stringContaining('same call')])
      },
    },
    {
      name: `two calls in turn for ever are stopped, and the person is told why (${dialect})`,
      run: async () => {
        const played = await play(dialect, (at) => ({ call: [at % 2 ? readSoil : readBeans] }))
        expect(played.end).toMatchObject({ reason: 'step-limit', text: 'Enough.' })
        expect(played.log.calls).toHaveLength(2)
        expect(noticesOf(played)).toEqual([expect.stringContaining('same call')])
      },
    },
    {
      name: `another call each time is stopped at the step limit, and the model is told to answer (${dialect})`,
      run: async () => {
        const search = (at: number) => ({ call: [{ name: 'search_notes', input: { query: `try ${at}` } }] })
        const { end } = await play(dialect, search, 6)
        expect(end).toMatchObject({ reason: 'step-limit', text: 'Enough.', steps: 6 })
      },
    },
    {
      name: `arguments that break off, ${cut}, are an error that the model hears of, and nothing is run (${dialect})`,
      run: () => expectRefused(dialect, { name: 'read_note', input: cut }, 'invalid-input'),
    },
    {
      name: `a tool that is not there is an error that the model hears of, and nothing is run (${dialect})`,
      run: () => expectRefused(dialect, { name: 'make_coffee', input: {} }, 'unknown-tool'),
    },
    {
      name: `of ${calls} calls in one step a few are run, and the model is told so (${dialect})`,
      run: async () => {
        const call = Array.from({ length: calls }, (_, at) => ({ name: 'search_notes', input: { query: `q${at}` } }))
        const { end, log, events } = await play(dialect, (at) => (at === 0 ? { call } : { say: 'Sorry.' }))
        expect(end).toMatchObject({ reason: 'answered', text: 'Sorry.' })
        expect(log.calls.filter(({ decision }) => decision === 'allowed').length).toBeLessThan(50)
        expect(log.calls.length).toBeLessThan(200)
        const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.result] : []))
        expect(results.at(-1)).toMatchObject({
          ok: false,
          text: expect.stringContaining('This call was not run: one step can make at most 32 tool calls.'),
        })
      },
    },
    {
      name: `arguments of ${characters} characters are refused, and the model is told so (${dialect})`,
      run: async () => {
        const input = { path: 'New.md', content: 'x'.repeat(characters) }
        const large = { call: [{ name: 'write_note', input }] }
        const { end, changed, events } = await play(dialect, (at) => (at === 0 ? large : { say: 'Sorry.' }))
        expect(end).toMatchObject({ reason: 'answered', text: 'Sorry.' })
        expect(changed).toEqual({})
        const result = events.find((event) => event.type === 'tool-result')?.result
        expect(result).toMatchObject({ ok: false, code: 'too-large' })
      },
    },
  ])
}

/** Says the steps in turn. Told that it can call nothing any more, it answers. */
function play(dialect: TriedDialect, steps: (at: number) => ScriptedStep, maxSteps?: number): Promise<Played> {
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

const noticesOf = ({ events }: Played): string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))

async function expectRefused(
  dialect: TriedDialect,
  call: typeof readSoil | { name: string; input: unknown },
  code: string,
) {
  const { end, log, events } = await play(dialect, (at) => (at === 0 ? { call: [call] } : { say: 'Sorry.' }))
  expect(end).toMatchObject({ reason: 'answered', text: 'Sorry.' })
  const results = events.flatMap((event) => (event.type === 'tool-result' ? [event.result] : []))
  expect(results).toMatchObject([{ ok: false, code }])
  expect(log.calls.map(({ decision }) => decision)).toEqual(['refused'])
  expect(JSON.stringify(end.messages)).toContain(JSON.stringify(results[0].text).slice(1, -1))
}
