import { linkedAbort, type ModelMessage } from '../../core/model/index.js'
import { badField } from '../server/index.js'
import { conversationOf } from './conversation.js'
import { type Endpoint, openBackend } from './endpoint.js'
import { newId } from './ids.js'
import { checkedReply } from './reply/checked-reply.js'
import { fieldsOf, refuseOthers } from './request/fields.js'
import { inputItems } from './request/input-items.js'
import { threadOf } from './thread.js'
import { nowSeconds, usageOf } from './wire/response-object.js'

const known = ['model', 'input', 'instructions', 'previous_response_id', 'prompt_cache_key', 'service_tier', 'user']

const task =
  'Write down what must be known to go on with this conversation without reading it again: what is wanted, what was found out or decided, names, numbers and quotes as they were given, and what is still open. Write only that, as short notes.'

/** A conversation made short: the backend writes down what matters, and the client carries it sealed. */
export async function compact(endpoint: Endpoint, body: unknown, signal: AbortSignal): Promise<object> {
  const fields = fieldsOf(body)
  refuseOthers(fields, known)
  const backend = await openBackend(endpoint, fields.needText('model'))
  const input = inputItems(fields.get('input') ?? [], endpoint.setup.store.item)
  const { items } = threadOf(input, fields.text('previous_response_id') ?? null, endpoint.setup.store)
  const { system, messages } = conversationOf(items, fields.text('instructions') ?? null, endpoint.setup.sealed)
  if (messages.length === 0) throw badField('input', 'There is nothing to make short.')
  const ask: ModelMessage = { role: 'user', content: task }
  const stop = linkedAbort(signal, endpoint.context.closing)
  const request = {
    ...(system && { system }),
    messages: [...messages, ask],
    profile: backend.profile,
    signal: stop.signal,
    settings: { retry: { attempts: 1 } },
  }
  let text = ''
  let usage = usageOf({})
  try {
    for await (const told of checkedReply(backend.model, {
      request,
      tools: [],
      mostCalls: 0,
      log: endpoint.context.log,
    })) {
      if (told.type === 'text-delta') text += told.text
      else if (told.type === 'failed') throw told.failure
      else if (told.type === 'finish') usage = usageOf(told.usage)
    }
  } finally {
    stop.release()
  }
  const sealed = endpoint.setup.sealed.close('compaction', { text: `The conversation so far, made short:\n\n${text}` })
  return {
    id: newId('resp'),
    object: 'response.compaction',
    created_at: nowSeconds(),
    output: [{ type: 'compaction', id: newId('cmp'), encrypted_content: sealed }],
    usage,
  }
}
