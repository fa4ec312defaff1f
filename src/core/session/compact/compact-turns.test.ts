import { describe, expect, it } from 'vitest'
import { howOften } from '../../../../test/how-often.js'
import { type AgentEvent, conversationOf, messageTokens } from '../../agent/index.js'
import { type ScriptedStep, scriptedModel } from '../../agent/testing/scripted-model.js'
import { configSchema } from '../../config/index.js'
import { modelFailure } from '../../model/index.js'
import { openedVault } from '../opened-vault.js'
import { memoryHost } from '../testing/memory-host.js'

type Prompt = Parameters<Extract<Parameters<typeof scriptedModel>[0][number], (prompt: never) => unknown>>[0]

const isSumming = (prompt: Prompt) => JSON.stringify(prompt.prompt[0]).includes('You sum up a conversation')
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
    profile: { ...(await import('../../model/index.js')).profileFor('gpt-5'), dialect: 'native' },
    window: async () => ({ tokens, from: 'server' as const, hint: '' }),
  })
  const vault = openedVault({ host, settings: configSchema.parse({ sessions: { autoTitle: false } }) })
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

  it('keeps what was asked where the model sums nothing up', async () => {
    const { session } = await longTalk(8000, () => ({ fail: new Error('no') }))
    let compacted: AgentEvent | undefined
    for (let turn = 1; compacted === undefined && turn < 40; turn++) {
      compacted = (await all(session.ask(`Question ${turn}`))).find(({ type }) => type === 'compacted')
    }
    expect(compacted).toMatchObject({ from: 1, summary: expect.stringContaining('- Question 1\n- Question 2') })
  })

  it('is summed up when somebody asks for it, and the model goes on from that', async () => {
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
