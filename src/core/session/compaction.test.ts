import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../../test/doubles/memory-host.js'
import { type ScriptedStep, scriptedModel } from '../../../test/doubles/scripted-model.js'
import { howOften } from '../../../test/runner/how-often.js'
import { type AgentEvent, answeredTurns, conversationOf, messageTokens } from '../agent/index.js'
import { configSchema } from '../config/index.js'
import { type LanguageModelV3, modelFailure } from '../model/index.js'
import { vaultFromHost } from './opened-vault.js'

type Prompt = Parameters<Extract<Parameters<typeof scriptedModel>[0][number], (prompt: never) => unknown>>[0]

const isSumming = (prompt: Prompt) => JSON.stringify(prompt.prompt[0]).includes('You summarize a conversation')
const words = 'The beds by the wall need compost, and the beans want poles. '.repeat(6)

/** A session whose model has a window, reads a note in each turn and answers at length. */
async function longTalk(
  tokens: number,
  sums: (prompt: Prompt) => ScriptedStep = () => ({ say: 'They spoke of beds.' }),
) {
  const host = await memoryHost({ 'Beds.md': words, 'Plan.md': 'Dig.\n' })
  let step = 0
  const model = scriptedModel([
    (prompt) => {
      if (isSumming(prompt)) return sums(prompt)
      step++
      return step % 2 === 1
        ? { call: [{ name: 'read_note', input: { path: 'Beds.md' } }] }
        : { say: `${words}See [[Beds]].` }
    },
  ])
  host.openModel = async (name) => ({
    name,
    provider: 'scripted',
    model,
    profile: { ...(await import('../model/index.js')).profileFor('gpt-5'), dialect: 'native' },
    window: async () => ({ tokens, from: 'server' as const, hint: '' }),
  })
  const vault = vaultFromHost({ host, settings: configSchema.parse({ sessions: { autoTitle: false } }) })
  const session = await vault.openSession({ id: 's', model: 'scripted/one', consent: 'auto' })
  return { host, vault, session, model }
}

async function all(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const sizeOf = (prompt: Prompt) =>
  Math.ceil(JSON.stringify(prompt.prompt).length / 4) + Math.ceil(JSON.stringify(prompt.tools ?? []).length / 4)

describe('a conversation that grows', () => {
  const turns = howOften(60, 500)

  it(`of ${turns} turns stays within 8,000 tokens, with every call beside its result`, async () => {
    const { session, model, vault } = await longTalk(8000)
    let compactions = 0
    for (let turn = 1; turn <= turns; turn++) {
      const events = await all(session.ask(`Question ${turn} about the beds and the beans`))
      expect(events.at(-1)).toMatchObject({ reason: 'answered' })
      compactions += events.filter(({ type }) => type === 'compacted').length
    }
    expect(compactions).toBeGreaterThan(turns / 40)
    expect(Math.max(...model.prompts.map(sizeOf))).toBeLessThan(8000)
    for (const { prompt } of model.prompts) {
      const calls = prompt.flatMap(({ role, content }) =>
        role === 'assistant' ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])) : [],
      )
      const results = prompt.flatMap(({ role, content }) =>
        role === 'tool' ? content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])) : [],
      )
      expect(results).toEqual(calls)
    }
    const stored = (await vault.sessions.read('s')).map(({ event }) => event)
    expect(stored.filter(({ type }) => type === 'citations')).toHaveLength(turns)
    const again = conversationOf(stored)
    expect(again).toEqual(session.state().messages)
    expect(again.reduce((sum, message) => sum + messageTokens(message), 0)).toBeLessThan(8000)
    expect(JSON.stringify(again)).toContain('Notes: ')
  }, 120_000)

  it('stays as it is where the model sums nothing up, and its requests still fit', async () => {
    const { session, model } = await longTalk(8000, () => ({ fail: new Error('no') }))
    for (let turn = 1; turn <= 20; turn++) {
      const events = await all(session.ask(`Question ${turn}`))
      expect(events.map(({ type }) => type)).not.toContain('compacted')
      expect(events.at(-1)).toMatchObject({ reason: 'answered' })
    }
    expect(model.prompts.filter(isSumming).length).toBeGreaterThan(0)
    expect(Math.max(...model.prompts.map(sizeOf))).toBeLessThan(8000)
    expect(session.state().messages.filter(({ content }) => String(content).startsWith('Question'))).toHaveLength(20)
  })

  it('is summarized on request, and the model continues from the summary', async () => {
    const { session, model } = await longTalk(100_000)
    expect(await all(session.compact())).toEqual([])
    await all(session.ask('One'))
    await all(session.ask('Two'))
    const [event] = await all(session.compact())
    expect(event).toMatchObject({ type: 'compacted', from: 1, to: 1, summary: expect.stringContaining('They spoke') })
    await all(session.ask('Three'))
    const prompt = JSON.stringify(model.prompts.at(-2)!.prompt)
    expect(prompt).toContain('They spoke of beds.')
    expect(prompt).not.toContain('"One"')
    expect(prompt).toContain('Two')
  })

  it('is summed up when the provider refuses its length, and asked once more', async () => {
    const { session, model } = await longTalk(100_000)
    for (const text of ['One', 'Two', 'Three']) await all(session.ask(text))
    const { doStream } = model
    let refusals = 0
    model.doStream = async (options) => {
      if (!isSumming(options) && JSON.stringify(options.prompt).includes('"One"')) {
        refusals++
        throw modelFailure('context', { provider: 'Scripted', modelId: 'one' }, 'Too long.')
      }
      return doStream.call(model, options)
    }
    const events = await all(session.ask('Four'))
    expect(refusals).toBeGreaterThan(0)
    expect(events.map(({ type }) => type)).toContain('compacted')
    expect(events.filter(({ type }) => type === 'run-start')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered' })
    expect(session.state().messages.filter(({ content }) => content === 'Four')).toHaveLength(1)
  })
})

describe('a turn that fails', () => {
  const down = (): never => {
    throw modelFailure('unreachable', { provider: 'Scripted', modelId: 'one' }, 'Nobody answers.')
  }
  /** A conversation that is summed up before its next turn. */
  async function fullTalk(sums?: (prompt: Prompt) => ScriptedStep) {
    const talk = await longTalk(8000, sums)
    const { session, model } = talk
    while (!model.prompts.some(isSumming)) {
      const before = session.state().messages.length
      await all(session.ask('A question about the beds'))
      if (session.state().messages.length < before) throw new Error('It was summed up before the test could look.')
    }
    return talk
  }

  const cases: [what: string, summary: ScriptedStep, answers: (model: LanguageModelV3) => Partial<LanguageModelV3>][] =
    [
      ['with the server down', { fail: new Error('no') }, () => ({ doStream: down })],
      [
        'after a summary came back',
        { say: 'They spoke of beds.' },
        ({ doStream }) => ({ doStream: (options) => (isSumming(options) ? doStream(options) : down()) }),
      ],
    ]
  it.each(cases)('%s leaves the conversation as it was', async (_what, summary, failing) => {
    // No summary is made before the test wants one.
    let step: ScriptedStep = { fail: new Error('not yet') }
    const { session, model, vault } = await fullTalk(() => step)
    const before = session.state().messages
    step = summary
    const { doStream } = model
    Object.assign(model, failing({ ...model, doStream: doStream.bind(model) }))
    const events = await all(session.ask('And now?'))
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'failed' })
    expect(session.state().messages).toEqual(before)
    const stored = async () => conversationOf((await vault.sessions.read('s')).map(({ event }) => event))
    expect(await stored()).toEqual([...before, { role: 'user', content: 'And now?' }])

    // Its server is back: the next turn has the earlier conversation.
    model.doStream = doStream
    const next = await all(session.ask('Again?'))
    expect(next.at(-1)).toMatchObject({ reason: 'answered' })
    expect(next.some(({ type }) => type === 'compacted')).toBe('say' in summary)
    expect(answeredTurns(await stored())).toEqual(session.state().messages)
  })

  it('to sum up when it is asked to says why, and changes nothing', async () => {
    const { session, model } = await longTalk(100_000)
    for (const text of ['One', 'Two', 'Three']) await all(session.ask(text))
    const before = session.state().messages
    model.doStream = down
    await expect(all(session.compact())).rejects.toThrow('Nobody answers.')
    expect(session.state().messages).toEqual(before)
  })
})
