import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { withDialect } from '../../src/core/dialects/index.js'
import type { DialectMemory } from '../../src/core/model/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { chatChunk, eventStream, type Loopback, loopback } from '../providers/loopback.js'
import { playTurn } from './play.js'

interface ChatRequest {
  tools?: unknown[]
  messages: { role: string; content: unknown }[]
}

let server: Loopback | undefined

afterEach(async () => {
  await server?.stop()
  server = undefined
})

const written = (name: string, args: object) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`

/** A user's local server, with a model that only ever writes text. */
async function localServer(answer: (request: ChatRequest) => string | { refuse: string }): Promise<Loopback> {
  server = await loopback((response, { body }) => {
    const said = answer(JSON.parse(body))
    if (typeof said !== 'string') return refuse(response, said.refuse)
    const pieces = said.match(/[\s\S]{1,5}/g) ?? []
    eventStream(response).end(`${pieces.map((content) => chatChunk({ content })).join('')}${chatChunk({}, 'stop')}`)
  })
  return server
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
}

/** Calls what it is asked to call, and answers when it has seen the note. */
function speak({ messages }: ChatRequest): string {
  const all = JSON.stringify(messages)
  if (all.includes('pick_word')) return written('pick_word', { word: 'pear' })
  return all.includes('Compost feeds') ? 'Compost.' : `Let me see. ${written('read_note', { path: 'Soil.md' })}`
}

function memory(): DialectMemory & { known: Map<string, string> } {
  const known = new Map<string, string>()
  return {
    known,
    recall: async (model) => known.get(model),
    remember: async (model, dialect) => void known.set(model, dialect),
  }
}

async function ask(url: string, kept = memory()) {
  const { model, profile, name } = await openModel('ollama/some-model', { environment: { OLLAMA_HOST: url }, fetch })
  const wrapped = withDialect(model, { dialect: 'auto', profile, name, memory: kept })
  const played = await playTurn(wrapped, 'What feeds the soil?', { setup: { profile } })
  return { ...played, known: kept.known }
}

const requestsOf = ({ requests }: Loopback): ChatRequest[] => requests.map(({ body }) => JSON.parse(body))

describe('a local model without a profile', () => {
  it('is asked once for its dialect, and calls tools in text, if its server refuses tools', async () => {
    const { url } = await localServer((request) =>
      request.tools ? { refuse: 'some-model does not support tools' } : speak(request),
    )
    const kept = memory()
    const { end, log, known } = await ask(url, kept)
    expect(end).toMatchObject({ reason: 'answered', text: 'Compost.' })
    expect(log.calls.map(({ tool_name }) => tool_name)).toEqual(['read_note'])
    expect(known).toEqual(new Map([['ollama/some-model', 'sentinel']]))
    const before = server!.requests.length
    expect((await ask(url, kept)).end.text).toBe('Compost.')
    expect(requestsOf(server!).slice(before)).toHaveLength(2)
  })

  it('has its calls read as text although its server accepts tools', async () => {
    const { url } = await localServer(speak)
    const { end, log, known } = await ask(url)
    expect(end).toMatchObject({ reason: 'answered', text: 'Compost.' })
    expect(log.calls.map(({ tool_name }) => tool_name)).toEqual(['read_note'])
    expect(known).toEqual(new Map([['ollama/some-model', 'native']]))
    expect(requestsOf(server!).at(-1)?.tools?.length).toBeGreaterThan(0)
  })
})
