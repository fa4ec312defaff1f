import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/core/config/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import type { ScriptedStep } from '../doubles/scripted-model.js'
import { everyProvider } from '../providers/every-provider.js'
import { dialectsToTry, inDialect } from './in-dialect.js'
import { mockResponse } from './mock-response.js'

let mock: LLMock

beforeAll(async () => {
  mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
})

afterAll(() => mock.stop())

const notes = { 'Soil.md': 'Loam.', 'Seeds.md': 'Peas.' }
const wishes = { 'AGENTS.md': 'Write short sentences.', 'Notewright memory.md': '- I garden in zone 7\n' }
const turns = 10

/** The requests of ten turns, as they went over the wire; every third turn looks twice and is out of steps then. */
async function requestsOf(
  name: string,
  environment: Record<string, string | undefined>,
  dialect: (typeof dialectsToTry)[number],
  files: object,
) {
  const sent: string[] = []
  const recording: typeof fetch = (input, init) => {
    // A server may also be asked about itself, which is no part of the conversation.
    if (/Question 0/.test(String(init?.body))) sent.push(String(init?.body))
    return fetch(input, init)
  }
  let asked = 0
  const look = (query: string): ScriptedStep => ({ call: [{ name: 'search_notes', input: { query } }] })
  const steps = Array.from({ length: turns }, (_, turn): ScriptedStep[] =>
    turn % 3 === 2 ? [look(`soil ${turn}`), look(`seeds ${turn}`), { say: 'So far.' }] : [{ say: `Answer ${turn}.` }],
  ).flat()
  mock.clearFixtures()
  mock.addFixture({
    match: { predicate: () => true },
    response: async () => mockResponse(name, inDialect(steps[asked++], dialect) as Parameters<typeof mockResponse>[1]),
  })
  const host = await memoryHost({ ...notes, ...files })
  host.openModel = async () => {
    const opened = await openModel(name, { environment, fetch: recording })
    return { ...opened, model: withDialect(opened.model, { dialect, profile: opened.profile }) }
  }
  const vault = vaultFromHost({ host, settings: configSchema.parse({}) })
  const session = await vault.openSession({ model: name, maxSteps: 3 })
  for (let turn = 0; turn < turns; turn++) {
    for await (const event of session.ask({ text: `Question ${turn}?` }, new AbortController().signal)) {
      if (event.type === 'run-end') expect(event.failure).toBeUndefined()
    }
  }
  await vault.close()
  expect(sent).toHaveLength(steps.length)
  return sent.map((body) => JSON.parse(body))
}

/** Fields with the conversation in each protocol, and fields that may differ between requests. */
const conversationKeys = ['messages', 'input', 'contents'] as const
const wordsOfOneRequest = ['tool_choice', 'toolConfig']

describe.each(everyProvider)('requests to $name', ({ name, environment }) => {
  describe.each(dialectsToTry)('in %s', (dialect) => {
    it.each([
      ['with an AGENTS.md and memories', wishes],
      ['without', {}],
    ])('begin as the one before them, %s', async (_what, files) => {
      const sent = await requestsOf(name, environment(mock.url), dialect, files)
      const key = conversationKeys.find((candidate) => candidate in sent[0])!
      for (const [at, request] of sent.slice(1).entries()) {
        const before = sent[at]
        expect(without(request, [key, ...wordsOfOneRequest])).toBe(without(before, [key, ...wordsOfOneRequest]))
        expectToContinue(request[key], before[key])
      }
    })
  })
})

/**
 * A provider's marks of what to keep move along with the end; they are not part of what is kept. A marked text is written
 * as a part, another one plainly, to OpenRouter, which makes the same of both.
 */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, inner) => {
    if (/^cache_?control$/i.test(key)) return undefined
    return key === 'content' && typeof inner === 'string' ? [{ type: 'text', text: inner }] : inner
  })
}

function without(request: Record<string, unknown>, keys: readonly string[]): string {
  return plain(Object.fromEntries(Object.entries(request).filter(([key]) => !keys.includes(key))))
}

/** The last message may have been added to, where neighbours of one role are joined; everything before it is the same. */
function expectToContinue(now: unknown[], before: unknown[]): void {
  expect(plain(now.slice(0, before.length - 1))).toBe(plain(before.slice(0, -1)))
  const [old, grown] = [before.at(-1), now[before.length - 1]].map((message) => plain(message))
  const shared = [...old].findIndex((character, at) => grown[at] !== character)
  const rest = shared === -1 ? '' : old.slice(shared)
  expect(rest, `${old}\n${grown}`).toMatch(/^["\]},a-z:_]*$/)
}
