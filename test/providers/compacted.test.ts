import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/core/agent/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { textDialect, withDialect } from '../../src/core/dialects/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { usageStats, vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { everyProvider } from './every-provider.js'

/** The usage that the mock reports for each reply, in every provider's format. */
const tokens = { input: 1100, output: 70 }
const usage = {
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  input_tokens: tokens.input,
  output_tokens: tokens.output,
  promptTokenCount: tokens.input,
  candidatesTokenCount: tokens.output,
}
/** In dollars for a million tokens. */
const price = { input: 3, output: 15 }
const costOfOne = (tokens.input * price.input + tokens.output * price.output) / 1_000_000

let mock: LLMock

beforeEach(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
})
afterEach(() => mock.stop())

/** A model that reads a note when it is asked for it, answers, and sums up. */
function teach(provider: string, dialect: string): void {
  const path = 'Soil.md'
  const call =
    dialect === 'native'
      ? { toolCalls: [{ name: 'read_note', arguments: JSON.stringify({ path }) }] }
      : { content: textDialect(dialect).write({ name: 'read_note', arguments: { path } }) }
  const finishReason = dialect === 'native' && provider !== 'gemini' ? 'tool_calls' : 'stop'
  mock.addFixture({ match: { userMessage: 'Write the summary now' }, response: say('They spoke of soil, in Soil.md.') })
  mock.addFixture({
    match: {
      predicate: ({ messages }) => {
        const last = messages.at(-1)!
        return last.role !== 'tool' && !JSON.stringify(last.content).includes('[tool_result ')
      },
    },
    response: { ...call, finishReason, usage },
  })
  mock.addFixture({ match: { predicate: () => true }, response: say('Compost does. [[Soil]]') })
}

const say = (content: string) => ({ content, finishReason: 'stop', usage })

async function talk(name: string, environment: Record<string, string | undefined>, dialect: string) {
  const host = await memoryHost({ 'Soil.md': 'Compost feeds the soil.\n' })
  host.openModel = async (asked, _dialect, wish) => {
    const opened = await openModel(asked, { environment, fetch, ...wish })
    return { ...opened, model: withDialect(opened.model, { dialect, profile: opened.profile, name: asked }) }
  }
  const settings = configSchema.parse({ prices: { [name]: price }, sessions: { autoTitle: false } })
  const vault = vaultFromHost({ host, settings, approvalOptions: { remote: true } })
  const session = await vault.openSession({ id: 's', model: name })
  const events: AgentEvent[] = []
  const hear = async (some: AsyncGenerator<AgentEvent>) => {
    for await (const event of some) events.push(event)
  }
  await hear(session.ask('What feeds the soil?'))
  await hear(session.ask('And the beans?'))
  await hear(session.compact())
  await hear(session.ask('And the worms?'))
  const used = await host.sessions.usage()
  const summary = (await host.sessions.list())[0]
  await vault.close()
  return { events, used, summary, requests: host.log.requests }
}

describe.each(everyProvider)('a conversation with $name', ({ name, environment }) => {
  it.each(['native', 'sentinel', 'use-tool'])(
    'continues after compaction, in the dialect %s, and costs the sum of its replies',
    async (dialect) => {
      teach(name.split('/')[0], dialect)
      const { events, used, summary, requests } = await talk(name, environment(mock.url), dialect)
      const endings = events.flatMap((event) => (event.type === 'run-end' ? [event.reason] : []))
      expect(endings).toEqual(['answered', 'answered', 'answered'])
      expect(events.filter(({ type }) => type === 'compacted')).toHaveLength(1)
      // Two replies a turn and the summary.
      const replies = 7
      const asked = requests.filter(({ bytes }) => bytes > 500)
      expect(asked).toHaveLength(replies)
      const { total } = usageStats(used, 'model')
      expect(total).toMatchObject({
        turns: 3,
        input: replies * tokens.input,
        output: replies * tokens.output,
        cost: expect.closeTo(replies * costOfOne, 10),
      })
      expect(summary.cost).toBeCloseTo(replies * costOfOne, 10)
    },
  )
})
