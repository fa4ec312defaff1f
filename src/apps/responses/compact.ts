import { linkedAbort, type ModelMessage } from '../../core/model/index.js'
import { badField } from '../server/index.js'
import { checkedReply } from './checked-reply.js'
import { modelConversation } from './conversation.js'
import { type Endpoint, openBackend } from './endpoint.js'
import { newId } from './items.js'
import { readFields } from './request/fields.js'
import { readInputItems } from './request/responses-request.js'
import { nowSeconds, responseUsage } from './response.js'
import { findThread } from './thread.js'

const summaryPrompt =
  'Write down what is needed to continue this conversation without reading it again: the goals, the findings and decisions, names, numbers and exact quotes, and what is still open. Write only that, as short notes.'

/** `POST /v1/responses/compact`: the backend summarizes the conversation, and the client gets the summary signed. */
export async function compactResponse(endpoint: Endpoint, body: unknown, signal: AbortSignal): Promise<object> {
  const fields = readFields(body)
  const backend = await openBackend(endpoint, fields.needText('model'))
  const input = readInputItems(fields.get('input') ?? [], endpoint.setup.store.findItem)
  const { items } = findThread(input, fields.text('previous_response_id') ?? null, endpoint.setup.store)
  const { system, messages } = modelConversation(items, fields.text('instructions') ?? null, endpoint.setup.signer)
  if (messages.length === 0) throw badField('input', 'There is nothing to compact.')
  const ask: ModelMessage = { role: 'user', content: summaryPrompt }
  const abort = linkedAbort(signal, endpoint.context.closing)
  const request = {
    ...(system && { system }),
    messages: [...messages, ask],
    profile: backend.profile,
    signal: abort.signal,
    settings: { retry: { attempts: 1 } },
  }
  let text = ''
  let usage = responseUsage({})
  try {
    for await (const event of checkedReply(backend.model, {
      request,
      tools: [],
      maxCalls: 0,
      log: endpoint.context.log,
    })) {
      if (event.type === 'text-delta') text += event.text
      else if (event.type === 'failed') throw event.failure
      else if (event.type === 'finish') usage = responseUsage(event.usage)
    }
  } finally {
    abort.release()
  }
  const signed = endpoint.setup.signer.sign('compaction', { text: `Summary of the conversation so far:\n\n${text}` })
  return {
    id: newId('resp'),
    object: 'response.compaction',
    created_at: nowSeconds(),
    output: [{ type: 'compaction', id: newId('cmp'), encrypted_content: signed }],
    usage,
  }
}
