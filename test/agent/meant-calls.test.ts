import { describe, expect, it } from 'vitest'
import { withDialect } from '../../src/core/dialects/index.js'
import { defaultProfile } from '../../src/core/model/index.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'
import { playTurn } from './play.js'

const readSoil = { name: 'read_note', input: { path: 'Soil.md' } }
const bare = '{"name": "read_note", "parameters": {"path": "Soil.md"}}'
const answer = 'Compost.'

async function play(dialect: string, steps: ScriptedStep[], stream = true) {
  const model = scriptedModel(steps)
  const settings = { retry: { attempts: 1 }, stream }
  const played = await playTurn(withDialect(model, { dialect, profile: defaultProfile }), 'What feeds the soil?', {
    setup: { settings },
  })
  const calls = played.events.flatMap((event) =>
    event.type === 'tool-result' ? [[event.call.name, event.result.ok]] : [],
  )
  const shown = played.events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
  return { ...played, calls, shown, requests: model.prompts }
}

describe('a reply that contains a call as text', () => {
  it.each([
    ['bare JSON', bare],
    ['a list', `[${bare}]`],
    ['Python', '[read_note(path="Soil.md")]'],
    ['a JSON line', '{"type":"tool_call","id":"c1","name":"read_note","arguments":"{\\"path\\":\\"Soil.md\\"}"}'],
    ['a fence', `I'll read it.\n\`\`\`json\n${bare}\n\`\`\``],
  ])('is made in a text dialect: %s', async (_, reply) => {
    const { end, calls, shown } = await play('sentinel', [{ say: reply }, { say: answer }])
    expect(calls).toEqual([['read_note', true]])
    expect(end).toMatchObject({ reason: 'answered', text: answer })
    expect(shown).not.toContain('"name"')
  })

  it.each([
    ['as it comes', true],
    ['in one piece', false],
  ])('is queried once, and the native model then makes the call: %s', async (_, stream) => {
    const steps = [{ say: bare }, { call: [readSoil] }, { say: answer }]
    const { end, calls, shown, requests } = await play('native', steps, stream)
    expect(calls).toEqual([['read_note', true]])
    expect([end.reason, shown]).toEqual(['answered', answer])
    expect(JSON.stringify(requests[1].prompt)).toContain('as text, so nothing was run')
  })

  it.each([
    ['as it comes', true],
    ['in one piece', false],
  ])('is never shown, even if the model writes nothing else: %s', async (_, stream) => {
    const { end, shown, requests } = await play('native', [{ say: bare }], stream)
    expect(requests).toHaveLength(2)
    expect([shown, end.reason, end.failure?.data?.kind]).toEqual(['', 'failed', 'text-call'])
    expect(end.failure?.text).toContain('as text')
  })
})

it('other text and calls pass unchanged, also in one piece', async () => {
  const lead = 'I look at {"name": "Soil"} first. '
  const { calls, shown } = await play('native', [{ say: lead, call: [readSoil] }, { say: answer }], false)
  expect([calls, shown]).toEqual([[['read_note', true]], lead + answer])
})

describe('a reply that only announces a call', () => {
  it.each(['native', 'sentinel'])('is queried once on the first step (%s)', async (dialect) => {
    const call = dialect === 'native' ? { call: [readSoil] } : { say: bare }
    const { end, calls, requests } = await play(dialect, [
      { say: 'I will search your notes now.' },
      call,
      { say: answer },
    ])
    expect(calls).toEqual([['read_note', true]])
    expect([end.reason, end.text, requests.length]).toEqual(['answered', answer, 3])
  })

  it('is the answer if the model says nothing else', async () => {
    const { end, requests } = await play('native', [{ say: 'I will search your notes now.' }])
    expect([end.reason, requests.length]).toEqual(['answered', 2])
  })

  it('is not queried on a later step', async () => {
    const { requests } = await play('native', [{ call: [readSoil] }, { say: 'I will look further.' }])
    expect(requests).toHaveLength(2)
  })
})
