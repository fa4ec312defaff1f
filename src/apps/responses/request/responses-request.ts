import { badField } from '../../server/index.js'
import { type ContentPart, type Item, type MessageItem, newId } from '../items.js'
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

const supportedFields = [
  ...['model', 'input', 'instructions', 'previous_response_id', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['max_tool_calls', 'max_output_tokens', 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  ...['text', 'reasoning', 'truncation', 'stream', 'stream_options', 'store', 'background', 'include', 'metadata'],
  ...['safety_identifier', 'prompt_cache_key', 'service_tier', 'top_logprobs'],
  // Accepted and ignored: a label of the user, and hints for a cache.
  ...['user', 'prompt_cache_retention', 'client_metadata'],
]

/** Fields of which a client would miss the effect: text that is stored elsewhere. */
const neededFields = ['prompt', 'conversation']

/** Values of `include`. Most are about tools that do not exist here, so that nothing is missing without them. */
const inclusions =
  /^(reasoning\.encrypted_content|notewright:steps|(file_search|web_search|code_interpreter|computer)_call[\w.]*|message\.input_image\.image_url)$/

/** Reads the body of `POST /v1/responses`. */
export function parseResponsesRequest(body: unknown, find: FindItem): ParsedRequest {
  const fields = readFields(body)
  const ignored = [...ignoredFields(fields, supportedFields, neededFields), ...fixedFields(fields)]
  if ((fields.integer('top_logprobs', 0) ?? 0) > 0) throw logprobsUnsupported('top_logprobs')
  const model = fields.needText('model')
  const tools = readTools(fields, ignored)
  const previousResponseId = fields.text('previous_response_id') ?? null
  if (fields.get('input') === undefined && previousResponseId === null) throw missingField(fields, 'input')
  const store = fields.boolean('store') ?? true
  const background = fields.boolean('background') ?? false
  if (background && !store) throw badField('background', 'A background response must be stored. Set store to true.')
  return {
    model,
    instructions: fields.text('instructions') ?? null,
    input: readInputItems(fields.get('input') ?? [], find),
    previousResponseId,
    tools,
    toolChoice: readToolChoice(fields, tools),
    parallelToolCalls: fields.boolean('parallel_tool_calls') ?? true,
    maxToolCalls: fields.integer('max_tool_calls', 1) ?? null,
    maxOutputTokens: fields.integer('max_output_tokens', 1) ?? null,
    ...readSampling(fields),
    stop: null,
    seed: null,
    format: readFormat(fields.object('text'), ignored),
    reasoning: readReasoning(fields.object('reasoning')),
    truncation: fields.oneOf('truncation', ['auto', 'disabled']) ?? 'disabled',
    stream: fields.boolean('stream') ?? false,
    store,
    background,
    include: readInclude(fields),
    ...readLabels(fields),
    ignored,
  }
}

function readFormat(text: Fields | undefined, ignored: string[]): ParsedRequest['format'] {
  const verbosity = text?.oneOf('verbosity', ['low', 'medium', 'high']) ?? 'medium'
  if (verbosity !== 'medium') ignored.push('text.verbosity')
  return readTextFormat(text?.object('format'))
}

function readReasoning(fields: Fields | undefined): ParsedRequest['reasoning'] {
  if (fields === undefined) return null
  return {
    effort: readEffort(fields, 'effort') ?? null,
    summary: fields.oneOf('summary', ['auto', 'concise', 'detailed']) ?? null,
  }
}

function readInclude(fields: Fields): string[] {
  const given = fields.get('include') ?? []
  if (!Array.isArray(given)) throw badField('include', 'include must be a list.', 'invalid_type')
  return given.map((name, index) => {
    if (typeof name === 'string' && inclusions.test(name)) return name
    throw badField(`include[${index}]`, `${String(name).slice(0, 80)} can't be included.`, 'unsupported_parameter')
  })
}

export const logprobsUnsupported = (name: string) =>
  badField(name, 'Log probabilities are not supported.', 'unsupported_parameter')

/** Finds a stored item that a client refers to by id. */
type FindItem = (id: string) => Item | undefined

/** Reads the input: one text, or a list of items. */
export function readInputItems(given: unknown, find: FindItem): Item[] {
  if (typeof given === 'string') return [userText(given)]
  if (!Array.isArray(given)) throw badField('input', 'input must be a string or a list of items.', 'invalid_type')
  return given.map((item, index) => readItem(readFields(item, `input[${index}]`), find))
}

function userText(text: string): MessageItem {
  return messageItem('user', [{ type: 'input_text', text }])
}

export function messageItem(role: MessageItem['role'], content: ContentPart[], id = newId('msg')): MessageItem {
  return { type: 'message', id, status: 'completed', role, content }
}

function readItem(fields: Fields, find: FindItem): Item {
  const type = fields.text('type') ?? (fields.get('role') === undefined ? 'item_reference' : 'message')
  switch (type) {
    case 'message': {
      const role = fields.oneOf('role', ['user', 'assistant', 'system', 'developer'])
      if (role === undefined) throw missingField(fields, 'role')
      return messageItem(role, contentParts(fields, 'content', role), fields.text('id'))
    }
    case 'function_call':
      return {
        type,
        id: fields.text('id') ?? newId('fc'),
        call_id: fields.needText('call_id'),
        name: fields.needText('name'),
        ...(fields.text('namespace') !== undefined && { namespace: fields.needText('namespace') }),
        arguments: fields.text('arguments') ?? '',
        status: 'completed',
      }
    case 'function_call_output': {
      const output = fields.get('output')
      if (output === undefined) throw missingField(fields, 'output')
      return {
        type,
        id: fields.text('id') ?? newId('fco'),
        call_id: fields.needText('call_id'),
        output: typeof output === 'string' ? output : contentParts(fields, 'output', 'user'),
        status: 'completed',
      }
    }
    case 'reasoning': {
      const encrypted = fields.text('encrypted_content')
      return {
        type,
        id: fields.text('id') ?? newId('rs'),
        summary: reasoningTexts(fields),
        ...(encrypted && { encrypted_content: encrypted }),
      }
    }
    case 'compaction':
      return { type, id: fields.text('id') ?? newId('cmp'), encrypted_content: fields.needText('encrypted_content') }
    case 'item_reference': {
      const id = fields.needText('id')
      const found = find(id)
      if (found !== undefined) return found
      const message = `Item not found: ${id.slice(0, 80)}. It may be deleted or expired.`
      throw badField(fields.pathOf('id'), message, 'item_not_found')
    }
    default:
      // Steps of the agent that a client sends back are not meant for a model.
      if (type === 'notewright:step') return { type: 'reasoning', id: newId('rs'), summary: [] }
      rejectApproval(fields)
      throw badField(
        fields.pathOf('type'),
        `Items of the type ${type.slice(0, 80)} are not supported.`,
        'unsupported_item',
      )
  }
}

/** This server never asks for approval, so an approval in the input is made up. */
export function rejectApproval(fields: Fields): void {
  const isApproval =
    fields.get('approval') !== undefined || /approval/i.test(`${fields.get('type')} ${fields.get('state')}`)
  if (!isApproval) return
  throw badField(fields.path, 'This server did not request an approval.', 'approval_unknown')
}

function reasoningTexts(fields: Fields): { type: 'summary_text'; text: string }[] {
  const parts = [...(fields.list('summary') ?? []), ...(fields.list('content') ?? [])]
  return parts.map((part) => ({ type: 'summary_text', text: part.text('text') ?? '' }))
}

function contentParts(fields: Fields, name: string, role: MessageItem['role']): ContentPart[] {
  const given = fields.get(name)
  if (given === undefined && role === 'assistant') return []
  if (given === undefined) throw missingField(fields, name)
  if (typeof given === 'string') return [textPart(role, given)]
  const parts = fields.list(name)
  if (parts === undefined) throw missingField(fields, name)
  return parts.map((part) => contentPart(part, role))
}

function textPart(role: MessageItem['role'], text: string): ContentPart {
  return role === 'assistant'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'input_text', text }
}

function contentPart(part: Fields, role: MessageItem['role']): ContentPart {
  const type = part.text('type')
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
    case 'reasoning_text':
      return textPart(role, requiredText(part, 'text'))
    case 'refusal':
      return { type, refusal: requiredText(part, 'refusal') }
    case 'input_image': {
      if (part.get('file_id') !== undefined) throw fileIdUnsupported(part)
      return { type, ...readImage(part, part.needText('image_url')) }
    }
    case 'input_file':
      return readFile(part)
    default:
      rejectApproval(part)
      throw badField(
        part.pathOf('type'),
        `Parts of the type ${type ?? 'nothing'} are not supported.`,
        'unsupported_part',
      )
  }
}

export function requiredText(part: Fields, name: string): string {
  const text = part.text(name)
  if (text === undefined) throw missingField(part, name)
  return text
}

/** An image as a data URL, or a URL that the model's provider fetches; nothing is fetched here. */
export function readImage(part: Fields, url: string): { image_url: string; detail?: string } {
  if (!/^(data:image\/[\w.+-]+;base64,|https?:\/\/)/i.test(url)) {
    throw badField(part.pathOf('image_url'), 'An image must be a base64 data URL or a web URL.')
  }
  const detail = part.text('detail')
  return { image_url: url, ...(detail && { detail }) }
}

export function readFile(part: Fields): ContentPart {
  if (part.get('file_id') !== undefined) throw fileIdUnsupported(part)
  const [data, url, filename] = ['file_data', 'file_url', 'filename'].map((name) => part.text(name))
  if (data === undefined && url === undefined) throw missingField(part, 'file_data')
  if (data !== undefined && !/^data:[\w.+-]+\/[\w.+-]+;base64,/i.test(data)) {
    throw badField(part.pathOf('file_data'), 'A file must be a base64 data URL.')
  }
  return {
    type: 'input_file',
    ...(data && { file_data: data }),
    ...(url && { file_url: url }),
    ...(filename && { filename }),
  }
}

const fileIdUnsupported = (part: Fields) =>
  badField(part.pathOf('file_id'), 'Files are not stored. Send the data itself.', 'unsupported_parameter')

export const missingField = (fields: Fields, name: string) =>
  badField(fields.pathOf(name), `${fields.pathOf(name)} is missing.`, 'missing_required_parameter')
