import { isRecord } from '../../../core/is-record.js'
import { badField } from '../../server/index.js'
import { type ContentPart, type Item, newId } from '../items.js'
import { type Fields, ignoredFields, readFields } from './fields.js'
import { type Effort, isToolName, type ParsedRequest, readEffort, toolNameRule } from './parsed-request.js'
import { messageItem, missingField, requiredText } from './responses-request.js'

const supportedFields = [
  ...['model', 'messages', 'system', 'max_tokens', 'tools', 'tool_choice', 'stop_sequences', 'stream', 'temperature'],
  ...['top_p', 'thinking', 'output_config', 'metadata'],
]

/** Reads the body of `POST /v1/messages`, Anthropic's API. A request that only counts tokens needs no limit. */
export function parseMessagesRequest(body: unknown, { isCount = false } = {}): ParsedRequest {
  const fields = readFields(body)
  const ignored = ignoredFields(fields, supportedFields)
  const model = fields.needText('model')
  const maxOutputTokens = fields.integer('max_tokens', 1)
  if (maxOutputTokens === undefined && !isCount) throw missingField(fields, 'max_tokens')
  const tools = readTools(fields, ignored)
  const messages = fields.list('messages')
  if (messages === undefined || messages.length === 0) throw missingField(fields, 'messages')
  const choice = fields.object('tool_choice')
  return {
    model,
    instructions: readSystem(fields),
    input: messages.flatMap(messageItems),
    previousResponseId: null,
    tools,
    toolChoice: readToolChoice(choice, tools),
    parallelToolCalls: !(choice?.boolean('disable_parallel_tool_use') ?? false),
    maxToolCalls: null,
    maxOutputTokens: maxOutputTokens ?? null,
    temperature: fields.number('temperature', 0, 1) ?? null,
    topP: fields.number('top_p', 0, 1) ?? null,
    presencePenalty: null,
    frequencyPenalty: null,
    stop: readStop(fields),
    seed: null,
    format: { type: 'text' },
    reasoning: readThinking(fields),
    truncation: 'disabled',
    stream: fields.boolean('stream') ?? false,
    store: false,
    background: false,
    // The signature of a thinking block lets the client send it back.
    include: ['reasoning.encrypted_content'],
    metadata: {},
    safetyIdentifier: null,
    promptCacheKey: null,
    ignored,
  }
}

function readSystem(fields: Fields): string | null {
  const given = fields.get('system')
  if (given === undefined || typeof given === 'string') return given ?? null
  return (fields.list('system') ?? []).map((part) => requiredText(part, 'text')).join('\n\n')
}

/** Tools that Anthropic's servers run have a type with a date. They cannot be offered here. */
function readTools(fields: Fields, ignored: string[]): ParsedRequest['tools'] {
  const names = new Set<string>()
  return (fields.list('tools') ?? []).flatMap((tool) => {
    const type = tool.text('type')
    if (type !== undefined && type !== 'custom') {
      ignored.push(`${tool.path} (${type.slice(0, 60)})`)
      return []
    }
    const name = tool.needText('name')
    if (!isToolName(name)) throw badField(tool.pathOf('name'), toolNameRule)
    if (names.has(name)) throw badField(tool.pathOf('name'), `Two tools are named ${name}.`)
    names.add(name)
    const schema = tool.get('input_schema')
    if (!isRecord(schema)) throw badField(tool.pathOf('input_schema'), 'input_schema must be a JSON Schema.')
    const description = tool.text('description') ?? null
    return [
      { type: 'function' as const, name, description, parameters: schema, strict: tool.boolean('strict') ?? null },
    ]
  })
}

function readToolChoice(choice: Fields | undefined, tools: ParsedRequest['tools']): ParsedRequest['toolChoice'] {
  const type = choice?.oneOf('type', ['auto', 'any', 'tool', 'none']) ?? 'auto'
  if (type === 'auto' || type === 'none') return type
  if (tools.length === 0) throw badField('tool_choice', 'tool_choice requires a call, but there are no tools.')
  if (type === 'any' || choice === undefined) return 'required'
  const name = choice.needText('name')
  if (tools.some((tool) => tool.name === name)) return { type: 'function', name }
  throw badField('tool_choice.name', `tool_choice names ${name}, which is not in tools.`)
}

function readStop(fields: Fields): string[] | null {
  const given = fields.get('stop_sequences') ?? []
  if (!Array.isArray(given) || given.some((text) => typeof text !== 'string' || text === '')) {
    throw badField('stop_sequences', 'stop_sequences must be a list of strings.', 'invalid_type')
  }
  return given.length === 0 ? null : given
}

/** A budget in tokens as an effort; `output_config.effort` takes precedence. */
function readThinking(fields: Fields): ParsedRequest['reasoning'] {
  const output = fields.object('output_config')
  const effort = output && readEffort(output, 'effort')
  if (effort !== undefined) return { effort, summary: null }
  const thinking = fields.object('thinking')
  const type = thinking?.oneOf('type', ['enabled', 'disabled', 'adaptive'])
  if (thinking === undefined || type === 'adaptive') return null
  if (type === 'disabled') return { effort: 'none', summary: null }
  return { effort: effortOf(thinking.integer('budget_tokens', 1024) ?? 8192), summary: null }
}

function effortOf(tokens: number): Effort {
  if (tokens <= 4096) return 'low'
  if (tokens <= 16_384) return 'medium'
  return tokens <= 32_768 ? 'high' : 'xhigh'
}

function messageItems(fields: Fields): Item[] {
  const role = fields.oneOf('role', ['user', 'assistant', 'system'])
  if (role === undefined) throw missingField(fields, 'role')
  const given = fields.get('content')
  if (typeof given === 'string') return given === '' ? [] : [messageItem(role, [textPart(role, given)])]
  const blocks = fields.list('content')
  if (blocks === undefined) throw missingField(fields, 'content')
  return role === 'assistant' ? blocks.flatMap(assistantItems) : userItems(blocks, role)
}

/** Results of tools come first, whatever stands beside them. */
function userItems(blocks: readonly Fields[], role: 'user' | 'system'): Item[] {
  const results = blocks.filter((block) => block.text('type') === 'tool_result')
  const parts = blocks.filter((block) => block.text('type') !== 'tool_result').map(contentPart)
  return [...results.map(resultItem), ...(parts.length > 0 ? [messageItem(role, parts)] : [])]
}

function resultItem(block: Fields): Item {
  const given = block.get('content') ?? ''
  const parts = typeof given === 'string' ? given : (block.list('content') ?? []).map(contentPart)
  const isError = block.boolean('is_error') ?? false
  const output = isError && typeof parts === 'string' ? `Error: ${parts}` : parts
  return {
    type: 'function_call_output',
    id: newId('fco'),
    call_id: block.needText('tool_use_id'),
    output,
    status: 'completed',
  }
}

function assistantItems(block: Fields): Item[] {
  const type = block.text('type')
  switch (type) {
    case 'text': {
      const text = requiredText(block, 'text')
      return text === '' ? [] : [messageItem('assistant', [textPart('assistant', text)])]
    }
    case 'tool_use':
      return [
        {
          type: 'function_call',
          id: newId('fc'),
          call_id: block.needText('id'),
          name: block.needText('name'),
          arguments: JSON.stringify(block.get('input') ?? {}),
          status: 'completed',
        },
      ]
    case 'thinking': {
      const signature = block.text('signature')
      return [
        {
          type: 'reasoning',
          id: newId('rs'),
          summary: [{ type: 'summary_text', text: block.text('thinking') ?? '' }],
          ...(signature && { encrypted_content: signature }),
        },
      ]
    }
    // Only Anthropic's servers can read it.
    case 'redacted_thinking':
      return []
    default:
      throw unsupportedBlock(block, type)
  }
}

function contentPart(block: Fields): ContentPart {
  const type = block.text('type')
  switch (type) {
    case 'text':
      return textPart('user', requiredText(block, 'text'))
    case 'image':
      return { type: 'input_image', image_url: sourceUrl(block, /^image\//) }
    case 'document': {
      const source = block.object('source')
      const title = block.text('title')
      if (source?.text('type') === 'text') return textPart('user', requiredText(source, 'data'))
      return {
        type: 'input_file',
        file_data: sourceUrl(block, /^application\/pdf$/),
        ...(title && { filename: title }),
      }
    }
    default:
      throw unsupportedBlock(block, type)
  }
}

/** A source as a data URL, or as the web URL that the model's provider fetches. */
function sourceUrl(block: Fields, mediaType: RegExp): string {
  const source = block.object('source')
  if (source === undefined) throw missingField(block, 'source')
  if (source.text('type') === 'url') {
    const url = source.needText('url')
    if (/^https?:\/\//i.test(url)) return url
    throw badField(source.pathOf('url'), 'A source must be a web URL or base64 data.')
  }
  const type = source.needText('media_type')
  if (!mediaType.test(type)) throw badField(source.pathOf('media_type'), `${type.slice(0, 60)} is not supported.`)
  return `data:${type};base64,${source.needText('data')}`
}

const unsupportedBlock = (block: Fields, type = 'nothing') =>
  badField(block.pathOf('type'), `Content of the type ${type.slice(0, 60)} is not supported.`, 'unsupported_part')

function textPart(role: string, text: string): ContentPart {
  return role === 'assistant'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'input_text', text }
}
