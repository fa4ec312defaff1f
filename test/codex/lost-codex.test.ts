import { expect, it } from 'vitest'
import { askModel, type ModelMessage, type ReplyEvent } from '../../src/core/model/index.js'
import { afterGreeting, converse, type RecordedCodex, recordedCodex, searchTool } from './recorded-codex.js'

async function oneReply(model: RecordedCodex['model'], messages: ModelMessage[]): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = []
  const signal = new AbortController().signal
  const request = { system: 'You are a note agent.', tools: [searchTool], signal }
  for await (const event of askModel(model, { ...request, messages })) events.push(event)
  return events
}

const messageOf = (events: ReplyEvent[]) => {
  const end = events.at(-1)
  if (end?.type !== 'finish') throw new Error(`No reply: ${JSON.stringify(events)}`)
  return end.message as ModelMessage
}

const result = (toolCallId: string, value: string) => ({
  type: 'tool-result' as const,
  toolCallId,
  toolName: 'search_notes',
  output: { type: 'text' as const, value },
})

const bothResults: ModelMessage = { role: 'tool', content: [result('call_1_2', 'A'), result('call_1_3', 'B')] }

it('a turn continues in a new Codex, with all messages and results, if the process died while waiting', async () => {
  const { model, heard, kill } = await recordedCodex('two-calls-0.166')
  const asked = afterGreeting('do a parallel search')
  const reply = messageOf(await oneReply(model, asked))
  kill()
  await oneReply(model, [...asked, reply, bothResults])
  const [, items] = heard().filter(({ method }) => method === 'thread/inject_items')
  expect(items.params?.items).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'earlier' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'do a parallel search' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
    { type: 'function_call', call_id: 'call_1_2', name: 'search_notes', arguments: '{"query":"a"}' },
    { type: 'function_call', call_id: 'call_1_3', name: 'search_notes', arguments: '{"query":"b"}' },
    { type: 'function_call_output', call_id: 'call_1_2', output: 'A' },
    { type: 'function_call_output', call_id: 'call_1_3', output: 'B' },
  ])
  expect(heard().filter(({ method }) => method === 'turn/start')[1].params?.input).toEqual([])
})

it('Codex dying in the middle of a reply is a retryable failure', async () => {
  const { model } = await recordedCodex('two-calls-0.166', { DIES_AFTER: 'turn/start' })
  const events = await converse(model, afterGreeting('do a parallel search'))
  expect(events).toEqual([
    expect.objectContaining({
      type: 'failed',
      failure: expect.objectContaining({ message: 'Codex ended unexpectedly (exit code 1).' }),
    }),
  ])
})

it('Codex gets no keys of other providers', async () => {
  const { model, environment } = await recordedCodex('cut-0.166')
  await converse(model, afterGreeting('CUT please'))
  expect(Object.keys(environment())).not.toContain('OPENAI_API_KEY')
  expect(environment().HOME).toBe('/home/ada')
})
