import { badField } from '../../server/index.js'
import { type Asked, efforts } from './asked.js'
import { type Fields, fieldsOf, refuseOthers } from './fields.js'
import { type FindItem, inputItems, missing } from './input-items.js'
import { labelFields, refuseTier, samplingFields } from './shared-fields.js'
import { textFormat } from './text-format.js'
import { clientChoice, clientTools } from './tools.js'

const known = [
  ...['model', 'input', 'instructions', 'previous_response_id', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['max_tool_calls', 'max_output_tokens', 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  ...['text', 'reasoning', 'truncation', 'stream', 'stream_options', 'store', 'background', 'include', 'metadata'],
  ...['safety_identifier', 'prompt_cache_key', 'service_tier', 'top_logprobs'],
  // Harmless where they are not used: who asks, and hints for a cache.
  ...['user', 'prompt_cache_retention', 'client_metadata'],
]

/** What `include` may name. Most of it is about things that never happen here, and then nothing is left out. */
const inclusions =
  /^(reasoning\.encrypted_content|notewright:steps|(file_search|web_search|code_interpreter|computer)_call[\w.]*|message\.input_image\.image_url)$/

/** Reads the body of `POST /v1/responses`. */
export function responsesRequest(body: unknown, find: FindItem): Asked {
  const fields = fieldsOf(body)
  refuseOthers(fields, known)
  refuseTier(fields)
  if ((fields.whole('top_logprobs', 0) ?? 0) > 0) throw noLogprobs('top_logprobs')
  const model = fields.needText('model')
  const tools = clientTools(fields)
  const previousResponseId = fields.text('previous_response_id') ?? null
  if (fields.get('input') === undefined && previousResponseId === null) throw missing(fields, 'input')
  const store = fields.flag('store') ?? true
  const background = fields.flag('background') ?? false
  if (background && !store) throw badField('background', 'A response in the background must be stored.')
  return {
    model,
    instructions: fields.text('instructions') ?? null,
    input: inputItems(fields.get('input') ?? [], find),
    previousResponseId,
    tools,
    toolChoice: clientChoice(fields, tools),
    parallelToolCalls: fields.flag('parallel_tool_calls') ?? true,
    maxToolCalls: fields.whole('max_tool_calls', 1) ?? null,
    maxOutputTokens: fields.whole('max_output_tokens', 1) ?? null,
    ...samplingFields(fields),
    stop: null,
    seed: null,
    format: formatOf(fields.fields('text')),
    reasoning: reasoningOf(fields.fields('reasoning')),
    truncation: fields.oneOf('truncation', ['auto', 'disabled']) ?? 'disabled',
    stream: fields.flag('stream') ?? false,
    store,
    background,
    include: inclusionsOf(fields),
    ...labelFields(fields),
  }
}

function formatOf(text: Fields | undefined): Asked['format'] {
  const verbosity = text?.oneOf('verbosity', ['low', 'medium', 'high']) ?? 'medium'
  if (verbosity !== 'medium') {
    throw badField('text.verbosity', 'How wordy the answer is cannot be set here.', 'unsupported_parameter')
  }
  return textFormat(text?.fields('format'))
}

function reasoningOf(fields: Fields | undefined): Asked['reasoning'] {
  if (fields === undefined) return null
  return {
    effort: fields.oneOf('effort', efforts) ?? null,
    summary: fields.oneOf('summary', ['auto', 'concise', 'detailed']) ?? null,
  }
}

function inclusionsOf(fields: Fields): string[] {
  const given = fields.get('include') ?? []
  if (!Array.isArray(given)) throw badField('include', 'include must be a list.', 'invalid_type')
  return given.map((name, index) => {
    if (typeof name === 'string' && inclusions.test(name)) return name
    throw badField(
      `include[${index}]`,
      `${String(name).slice(0, 80)} cannot be included here.`,
      'unsupported_parameter',
    )
  })
}

export const noLogprobs = (name: string) =>
  badField(name, 'The likelihood of tokens is not told here.', 'unsupported_parameter')
