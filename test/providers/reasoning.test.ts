import { afterEach, describe, expect, it } from 'vitest'
import type { ReplyEvent } from '../../src/core/model/index.js'
import { canary } from './every-provider.js'
import { chatChunk, eventStream, type Loopback, loopback } from './loopback.js'
import { takeStep } from './take-step.js'

let server: Loopback | undefined

afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** The result of some deltas: `t:` for text and `r:` for reasoning, adjacent ones joined. */
async function channels(name: string, ...deltas: Record<string, unknown>[]): Promise<string[]> {
  server = await loopback((response) => {
    eventStream(response).end(`${deltas.map((delta) => chatChunk(delta)).join('')}${chatChunk({}, 'stop')}`)
  })
  const environment = {
    NOTEWRIGHT_COMPATIBLE_URL: server.url,
    OPENROUTER_API_KEY: canary,
    OPENROUTER_BASE_URL: server.url,
  }
  const { events } = await takeStep(name, environment)
  return events.reduce<string[]>(joined, [])
}

function joined(sofar: string[], event: ReplyEvent): string[] {
  if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return sofar
  const mark = event.type === 'text-delta' ? 't:' : 'r:'
  const last = sofar.at(-1)
  if (last?.startsWith(mark)) return [...sofar.slice(0, -1), last + event.text]
  return [...sofar, mark + event.text]
}

const details = (text: string) => ({
  reasoning_details: [{ type: 'reasoning.text', text, format: 'unknown', index: 0 }],
})

describe('reasoning', () => {
  it.each([
    ['compatible/m', { reasoning_content: 'I see. ' }],
    ['compatible/m', { reasoning: 'I see. ' }],
    ['openrouter/a/b', { reasoning: 'I see. ' }],
    ['openrouter/a/b', { reasoning_content: 'I see. ' }],
    ['openrouter/a/b', details('I see. ')],
  ])('of %s comes apart from the words (%j)', async (name, thought) => {
    expect(await channels(name, thought, thought, { content: 'Yes.' })).toEqual(['r:I see. I see. ', 't:Yes.'])
  })

  it('is absent if its details are empty', async () => {
    expect(await channels('openrouter/a/b', { reasoning_details: [], content: 'Yes.' })).toEqual(['t:Yes.'])
  })

  it('is not doubled when a server sends it under both names', async () => {
    const both = { reasoning: 'Once.', ...details('Once.') }
    expect(await channels('openrouter/a/b', both, { content: 'Yes.' })).toEqual(['r:Once.', 't:Yes.'])
  })

  it.each([
    ['compatible/m', (text: string) => ({ reasoning_content: text })],
    ['openrouter/a/b', (text: string) => ({ reasoning: text })],
    ['openrouter/a/b', details],
  ])('keeps its place when it alternates with words (%s)', async (name, thought) => {
    const deltas = ['1', '2', '3'].flatMap((mark) => [thought(mark), { content: mark }])
    expect(await channels(name, ...deltas)).toEqual(['r:1', 't:1', 'r:2', 't:2', 'r:3', 't:3'])
  })
})
