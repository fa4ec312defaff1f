import { badField } from '../../server/index.js'
import { newId } from '../ids.js'
import type { ContentPart, Item } from '../items.js'
import { type Asked, efforts } from './asked.js'
import { type Fields, fieldsOf, refuseOthers } from './fields.js'
import { filePart, imageOf, message, missing, refuseApproval, textOf } from './input-items.js'
import { noLogprobs } from './responses-request.js'
import { labelFields, refuseTier, samplingFields } from './shared-fields.js'
import { textFormat } from './text-format.js'
import { clientChoice, clientTools } from './tools.js'

const known = [
  ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens'],
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'stop', 'seed', 'n', 'response_format'],
  ...['reasoning_effort', 'stream', 'stream_options', 'store', 'metadata', 'safety_identifier', 'prompt_cache_key'],
  ...['service_tier', 'logprobs', 'top_logprobs', 'modalities', 'user', 'verbosity', 'prompt_cache_retention'],
]

export interface AskedChat extends Asked {
  /** The usage comes as a last chunk of the stream. */
  usageInStream: boolean
}

/** Reads the body of `POST /v1/chat/completions`. */
export function chatRequest(body: unknown): AskedChat {
  const fields = fieldsOf(body)
  refuseOthers(fields, known)
  refuseUnsupported(fields)
  const model = fields.needText('model')
  const tools = clientTools(fields)
  const messages = fields.list('messages')
  if (messages === undefined || messages.length === 0) throw missing(fields, 'messages')
  return {
    model,
    instructions: null,
    input: messages.flatMap(messageItems),
    previousResponseId: null,
    tools,
    toolChoice: clientChoice(fields, tools),
    parallelToolCalls: fields.flag('parallel_tool_calls') ?? true,
    maxToolCalls: null,
    maxOutputTokens: fields.whole('max_completion_tokens', 1) ?? fields.whole('max_tokens', 1) ?? null,
    ...samplingFields(fields),
    stop: stopOf(fields),
    seed: fields.whole('seed', Number.MIN_SAFE_INTEGER) ?? null,
    format: textFormat(fields.fields('response_format')),
    reasoning: reasoningOf(fields),
    truncation: 'disabled',
    stream: fields.flag('stream') ?? false,
    store: false,
    background: false,
    include: [],
    ...labelFields(fields),
    usageInStream: fields.fields('stream_options')?.flag('include_usage') ?? false,
  }
}

function refuseUnsupported(fields: Fields): void {
  refuseTier(fields)
  if ((fields.whole('n', 1) ?? 1) !== 1)
    throw badField('n', 'There is one answer to a request: n must be 1.', 'unsupported_parameter')
  if (fields.flag('logprobs')) throw noLogprobs('logprobs')
  if ((fields.whole('top_logprobs', 0) ?? 0) > 0) throw noLogprobs('top_logprobs')
  if (fields.flag('store'))
    throw badField('store', 'Chat completions are not kept; use /v1/responses.', 'unsupported_parameter')
  const modalities = fields.get('modalities') ?? ['text']
  if (JSON.stringify(modalities) !== '["text"]')
    throw badField('modalities', 'Answers are text.', 'unsupported_parameter')
  if ((fields.text('verbosity') ?? 'medium') !== 'medium') {
    throw badField('verbosity', 'How wordy the answer is cannot be set here.', 'unsupported_parameter')
  }
}

function stopOf(fields: Fields): string[] | null {
  const given = fields.get('stop')
  const texts = typeof given === 'string' ? [given] : (given ?? [])
  if (!Array.isArray(texts) || texts.length > 4 || texts.some((text) => typeof text !== 'string' || text === '')) {
    throw badField('stop', 'stop must be a text or a list of at most four.', 'invalid_type')
  }
  return texts.length === 0 ? null : texts
}

function reasoningOf(fields: Fields): Asked['reasoning'] {
  const effort = fields.oneOf('reasoning_effort', efforts)
  return effort === undefined ? null : { effort, summary: null }
}

function messageItems(fields: Fields): Item[] {
  const role = fields.oneOf('role', ['system', 'developer', 'user', 'assistant', 'tool'])
  switch (role) {
    case undefined:
      throw missing(fields, 'role')
    case 'tool':
      return [
        {
          type: 'function_call_output',
          id: newId('fco'),
          call_id: fields.needText('tool_call_id'),
          output: outputOf(fields),
          status: 'completed',
        },
      ]
    case 'assistant':
      return assistantItems(fields)
    default:
      return [message(role, contentParts(fields, role))]
  }
}

function outputOf(fields: Fields): string | ContentPart[] {
  const given = fields.get('content')
  return typeof given === 'string' ? given : contentParts(fields, 'user')
}

function assistantItems(fields: Fields): Item[] {
  const calls = (fields.list('tool_calls') ?? []).map((call): Item => {
    const called = call.fields('function')
    if (called === undefined) throw missing(call, 'function')
    return {
      type: 'function_call',
      id: newId('fc'),
      call_id: call.needText('id'),
      name: called.needText('name'),
      arguments: called.text('arguments') ?? '',
      status: 'completed',
    }
  })
  const said =
    fields.get('content') === undefined || fields.get('content') === '' ? [] : contentParts(fields, 'assistant')
  const refused = fields.text('refusal')
  const parts: ContentPart[] = refused === undefined ? said : [...said, { type: 'refusal', refusal: refused }]
  const thought = fields.text('reasoning_content')
  return [
    ...(thought
      ? [{ type: 'reasoning' as const, id: newId('rs'), summary: [{ type: 'summary_text' as const, text: thought }] }]
      : []),
    ...(parts.length > 0 ? [message('assistant', parts)] : []),
    ...calls,
  ]
}

function contentParts(fields: Fields, role: 'system' | 'developer' | 'user' | 'assistant'): ContentPart[] {
  const given = fields.get('content')
  if (typeof given === 'string') return [textPart(role, given)]
  const parts = fields.list('content')
  if (parts === undefined) throw missing(fields, 'content')
  return parts.map((part): ContentPart => {
    const type = part.text('type')
    if (type === 'text') return textPart(role, textOf(part, 'text'))
    if (type === 'refusal') return { type, refusal: textOf(part, 'refusal') }
    if (type === 'image_url') {
      const image = part.fields('image_url')
      if (image === undefined) throw missing(part, 'image_url')
      return { type: 'input_image', ...imageOf(image, image.needText('url')) }
    }
    if (type === 'file') return filePart(part.fields('file') ?? part)
    refuseApproval(part)
    throw badField(
      part.at('type'),
      `Parts of the type ${type ?? 'nothing'} are not supported here.`,
      'unsupported_part',
    )
  })
}

function textPart(role: string, text: string): ContentPart {
  return role === 'assistant'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'input_text', text }
}
