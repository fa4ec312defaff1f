import { badField } from '../../server/index.js'
import { type ContentPart, type Item, newId } from '../items.js'
import { type Fields, ignoredFields, readFields } from './fields.js'
import {
  fixedFields,
  type ParsedRequest,
  readEffort,
  readLabels,
  readSampling,
  readTextFormat,
  readToolChoice,
  readTools,
} from './parsed-request.js'
import {
  logprobsUnsupported,
  messageItem,
  missingField,
  readFile,
  readImage,
  rejectApproval,
  requiredText,
} from './responses-request.js'

const supportedFields = [
  ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens'],
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'stop', 'seed', 'n', 'response_format'],
  ...['reasoning_effort', 'stream', 'stream_options', 'store', 'metadata', 'safety_identifier', 'prompt_cache_key'],
  ...['service_tier', 'logprobs', 'top_logprobs', 'modalities', 'user', 'prompt_cache_retention'],
]

/** Fields of which a client would miss the effect. */
const neededFields = ['functions', 'function_call', 'audio']

interface ParsedChatRequest extends ParsedRequest {
  /** Send the usage as the last chunk of the stream. */
  usageInStream: boolean
}

/** Reads the body of `POST /v1/chat/completions`. */
export function parseChatRequest(body: unknown): ParsedChatRequest {
  const fields = readFields(body)
  const ignored = [...ignoredFields(fields, supportedFields, neededFields), ...fixedFields(fields)]
  checkUnsupported(fields)
  if (fields.boolean('store')) ignored.push('store')
  const model = fields.needText('model')
  const tools = readTools(fields, ignored)
  const messages = fields.list('messages')
  if (messages === undefined || messages.length === 0) throw missingField(fields, 'messages')
  return {
    model,
    instructions: null,
    input: messages.flatMap(messageItems),
    previousResponseId: null,
    tools,
    toolChoice: readToolChoice(fields, tools),
    parallelToolCalls: fields.boolean('parallel_tool_calls') ?? true,
    maxToolCalls: null,
    maxOutputTokens: readLimit(fields, ignored),
    ...readSampling(fields),
    stop: readStop(fields),
    seed: fields.integer('seed', Number.MIN_SAFE_INTEGER) ?? null,
    format: readTextFormat(fields.object('response_format')),
    reasoning: readReasoning(fields),
    truncation: 'disabled',
    stream: fields.boolean('stream') ?? false,
    store: false,
    background: false,
    include: [],
    ...readLabels(fields),
    usageInStream: fields.object('stream_options')?.boolean('include_usage') ?? false,
    ignored,
  }
}

/** Local servers take -1 for no limit. */
function readLimit(fields: Fields, ignored: string[]): number | null {
  const given = ['max_completion_tokens', 'max_tokens'].find((name) => fields.get(name) !== undefined)
  if (given === undefined) return null
  if (fields.get(given) !== -1) return fields.integer(given, 1) ?? null
  ignored.push(given)
  return null
}

function checkUnsupported(fields: Fields): void {
  if ((fields.integer('n', 1) ?? 1) !== 1) throw badField('n', 'n must be 1.', 'unsupported_parameter')
  if (fields.boolean('logprobs')) throw logprobsUnsupported('logprobs')
  if ((fields.integer('top_logprobs', 0) ?? 0) > 0) throw logprobsUnsupported('top_logprobs')
  const modalities = fields.get('modalities') ?? ['text']
  if (JSON.stringify(modalities) !== '["text"]')
    throw badField('modalities', 'Only text output is supported.', 'unsupported_parameter')
}

function readStop(fields: Fields): string[] | null {
  const given = fields.get('stop')
  const texts = typeof given === 'string' ? [given] : (given ?? [])
  if (!Array.isArray(texts) || texts.length > 4 || texts.some((text) => typeof text !== 'string' || text === '')) {
    throw badField('stop', 'stop must be a string or a list of at most four strings.', 'invalid_type')
  }
  return texts.length === 0 ? null : texts
}

function readReasoning(fields: Fields): ParsedRequest['reasoning'] {
  const effort = readEffort(fields, 'reasoning_effort')
  return effort === undefined ? null : { effort, summary: null }
}

function messageItems(fields: Fields): Item[] {
  const role = fields.oneOf('role', ['system', 'developer', 'user', 'assistant', 'tool'])
  switch (role) {
    case undefined:
      throw missingField(fields, 'role')
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
      return [messageItem(role, contentParts(fields, role))]
  }
}

function outputOf(fields: Fields): string | ContentPart[] {
  const given = fields.get('content')
  return typeof given === 'string' ? given : contentParts(fields, 'user')
}

function assistantItems(fields: Fields): Item[] {
  const calls = (fields.list('tool_calls') ?? []).map((call): Item => {
    const called = call.object('function')
    if (called === undefined) throw missingField(call, 'function')
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
    ...(parts.length > 0 ? [messageItem('assistant', parts)] : []),
    ...calls,
  ]
}

function contentParts(fields: Fields, role: 'system' | 'developer' | 'user' | 'assistant'): ContentPart[] {
  const given = fields.get('content')
  if (typeof given === 'string') return [textPart(role, given)]
  const parts = fields.list('content')
  if (parts === undefined) throw missingField(fields, 'content')
  return parts.map((part): ContentPart => {
    const type = part.text('type')
    if (type === 'text') return textPart(role, requiredText(part, 'text'))
    if (type === 'refusal') return { type, refusal: requiredText(part, 'refusal') }
    if (type === 'image_url') {
      const given = part.get('image_url')
      if (typeof given === 'string') return { type: 'input_image', ...readImage(part, given) }
      const image = part.object('image_url')
      if (image === undefined) throw missingField(part, 'image_url')
      return { type: 'input_image', ...readImage(image, image.needText('url')) }
    }
    if (type === 'file') return readFile(part.object('file') ?? part)
    rejectApproval(part)
    throw badField(part.pathOf('type'), `Parts of the type ${type ?? 'nothing'} are not supported.`, 'unsupported_part')
  })
}

function textPart(role: string, text: string): ContentPart {
  return role === 'assistant'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'input_text', text }
}
