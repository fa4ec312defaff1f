import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { converse, openApprovedCodex, textOf } from '../../codex/recorded-codex.js'
import { eventStream, loopback } from '../../providers/loopback.js'
import { codexHome, codexPath } from './real-codex.js'

/** A model that Codex lets write code. */
const codeModel = 'gpt-5.6-sol'

const told = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

/** A response with one item, as OpenAI streams it. */
const response = (id: string, item: Record<string, unknown>) =>
  [
    told('response.created', { response: { id, status: 'in_progress' } }),
    told('response.output_item.done', { output_index: 0, item: { status: 'completed', ...item } }),
    told('response.completed', {
      response: { id, status: 'completed', usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
    }),
  ].join('')

const written = (input: string) =>
  response('resp_1', { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'exec', input })
const said = (text: string) =>
  response('resp_2', { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text }] })

it.each([
  ['one after the other', "const a = await search('a'); const b = await search('b'); text(a + ' and ' + b)"],
  ['side by side', "const [a, b] = await Promise.all([search('a'), search('b')]); text(a + ' and ' + b)"],
])('code that Codex 0.166 runs for its model calls tools %s, and gets the result of each', async (_, rest) => {
  const code = `const search = (query) => tools.search_notes({ query }); ${rest}`
  const server = await loopback((answer, { body }) => {
    const isRun = body.includes('"type":"custom_tool_call_output"')
    eventStream(answer).end(isRun ? said('Both were found.') : written(code))
  })
  const { home } = await codexHome(`${server.url}/v1`)
  const model = await openApprovedCodex(codeModel, {
    environment: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
    state: await mkdtemp(join(tmpdir(), 'notewright-state-')),
    settings: { path: codexPath('0.166'), tools: [], environment: [] },
  })
  const events = await converse(model, [{ role: 'user', content: 'Find both' }])
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.input] : []))
  expect(calls).toEqual([{ query: 'a' }, { query: 'b' }])
  expect(textOf(events)).toBe('Both were found.')
  expect(server.requests.at(-1)?.body).toContain('found {\\"query\\":\\"a\\"} and found {\\"query\\":\\"b\\"}')
  await server.stop()
})
