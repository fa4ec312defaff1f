import { isRecord } from '../../../core/is-record.js'
import { badField } from '../../server/index.js'
import { type Item, nameInNamespace } from '../items.js'
import { type Fields, readFields } from './fields.js'

/** A request of either API, with defaults filled in. */
export interface ParsedRequest {
  model: string
  instructions: string | null
  /** The new items of the conversation. */
  input: Item[]
  previousResponseId: string | null
  tools: ClientTool[]
  toolChoice: ToolChoice
  parallelToolCalls: boolean
  maxToolCalls: number | null
  maxOutputTokens: number | null
  temperature: number | null
  topP: number | null
  presencePenalty: number | null
  frequencyPenalty: number | null
  stop: string[] | null
  seed: number | null
  format: TextFormat
  reasoning: { effort: Effort | null; summary: string | null } | null
  truncation: 'auto' | 'disabled'
  stream: boolean
  store: boolean
  background: boolean
  include: string[]
  metadata: Record<string, string>
  safetyIdentifier: string | null
  promptCacheKey: string | null
  /** Fields that were accepted and have no effect. They are named in a header of the response. */
  ignored: string[]
}

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type Effort = (typeof efforts)[number]

/** Sampling settings, which have the same names in both APIs. */
export function readSampling(
  fields: Fields,
): Pick<ParsedRequest, 'temperature' | 'topP' | 'presencePenalty' | 'frequencyPenalty'> {
  return {
    temperature: fields.number('temperature', 0, 2) ?? null,
    topP: fields.number('top_p', 0, 1) ?? null,
    presencePenalty: fields.number('presence_penalty', -2, 2) ?? null,
    frequencyPenalty: fields.number('frequency_penalty', -2, 2) ?? null,
  }
}

/** Labels that are repeated in the response and have no other effect. */
export function readLabels(fields: Fields): Pick<ParsedRequest, 'metadata' | 'safetyIdentifier' | 'promptCacheKey'> {
  return {
    metadata: readMetadata(fields),
    safetyIdentifier: fields.text('safety_identifier') ?? null,
    promptCacheKey: fields.text('prompt_cache_key') ?? null,
  }
}

function readMetadata(fields: Fields): Record<string, string> {
  const given = fields.object('metadata')
  if (given === undefined) return {}
  const names = given.names()
  if (names.length > 16) throw badField('metadata', 'metadata can have at most 16 keys.')
  return Object.fromEntries(
    names.map((name) => {
      const text = given.text(name) ?? ''
      if (name.length > 64 || text.length > 512) {
        throw badField(given.pathOf(name), 'Keys of metadata can have at most 64 characters, values at most 512.')
      }
      return [name, text]
    }),
  )
}

/** Efforts of both APIs: `max` is the highest there is here. */
export function readEffort(fields: Fields, name: string): Effort | undefined {
  const effort = fields.oneOf(name, [...efforts, 'max'])
  return effort === 'max' ? 'xhigh' : effort
}

/** Supported fields whose value has no effect, because only one value is possible here. */
export function fixedFields(fields: Fields): string[] {
  const tier = fields.text('service_tier') ?? 'auto'
  return tier === 'auto' || tier === 'default' ? [] : ['service_tier']
}

/** The format of the answer, as repeated in the response. */
type TextFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema'
      name: string
      description: string | null
      schema: Record<string, unknown>
      strict: boolean
    }

/** The schema is beside the type (Responses API), or inside `json_schema` (chat completions). */
export function readTextFormat(fields: Fields | undefined): TextFormat {
  const type = fields?.oneOf('type', ['text', 'json_object', 'json_schema']) ?? 'text'
  if (fields === undefined || type !== 'json_schema') return { type } as TextFormat
  const inner = fields.object('json_schema') ?? fields
  const schema = inner.get('schema')
  if (!isRecord(schema)) throw badField(inner.pathOf('schema'), `${inner.pathOf('schema')} must be a JSON Schema.`)
  return {
    type,
    name: inner.needText('name'),
    description: inner.text('description') ?? null,
    schema,
    strict: inner.boolean('strict') ?? false,
  }
}

/** A tool of the client, as repeated in the response. */
export interface ClientTool {
  type: 'function'
  /** Unique in the request: a tool of a namespace has the namespace in front of its own name. */
  name: string
  /** Codex groups the tools of one server in a namespace. */
  namespace?: string
  description: string | null
  parameters: Record<string, unknown> | null
  strict: boolean | null
}

type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { type: 'function'; name: string }
  | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: { type: 'function'; name: string }[] }

const maxTools = 256

export const isToolName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)
export const toolNameRule = 'A tool name can have at most 64 letters, digits, underscores, hyphens and dots.'

/** Tools that the servers of a provider run. They cannot be offered here, and a model can answer without them. */
const hostedTools =
  /^(?:web_search|file_search|code_interpreter|image_generation|computer|local_shell|shell|apply_patch|mcp|tool_search)/

/**
 * The fields of a tool are beside the type (Responses API), or inside `function` (chat completions). Codex puts the tools
 * of one MCP server into a `namespace`. Hosted tools are added to `ignored`.
 */
export function readTools(fields: Fields, ignored: string[]): ClientTool[] {
  const tools = (fields.list('tools') ?? []).flatMap((tool) => readTool(tool, ignored))
  if (tools.length > maxTools) throw badField('tools', `At most ${maxTools} tools can be offered.`)
  const names = new Set<string>()
  for (const { path, name } of tools) {
    if (names.has(name)) throw badField(path, `Two tools are named ${name}.`)
    names.add(name)
  }
  return tools.map(({ path: _, ...tool }) => tool)
}

type ReadTool = ClientTool & { path: string }

function readTool(tool: Fields, ignored: string[]): ReadTool[] {
  const type = tool.text('type')
  if (type === 'namespace') return readNamespace(tool, ignored)
  if (type !== undefined && hostedTools.test(type)) {
    ignored.push(`${tool.path} (${type.slice(0, 60)})`)
    return []
  }
  if (type !== 'function') {
    const message = `Tools of the type ${type ?? 'nothing'} are not supported. Use functions.`
    throw badField(tool.pathOf('type'), message, 'unsupported_tool')
  }
  const inner = tool.object('function') ?? tool
  const name = inner.needText('name')
  if (!isToolName(name)) throw badField(inner.pathOf('name'), toolNameRule)
  const parameters = inner.get('parameters')
  if (parameters !== undefined && !isRecord(parameters)) {
    throw badField(inner.pathOf('parameters'), `${inner.pathOf('parameters')} must be a JSON Schema.`, 'invalid_type')
  }
  return [
    {
      path: inner.pathOf('name'),
      type,
      name,
      description: inner.text('description') ?? null,
      parameters: (parameters as Record<string, unknown>) ?? null,
      strict: inner.boolean('strict') ?? tool.boolean('strict') ?? null,
    },
  ]
}

function readNamespace(fields: Fields, ignored: string[]): ReadTool[] {
  const namespace = fields.needText('name')
  return (fields.list('tools') ?? []).flatMap((inner) =>
    readTool(inner, ignored).map((tool): ReadTool => {
      const name = nameInNamespace(namespace, tool.name)
      if (!isToolName(name)) throw badField(tool.path, toolNameRule)
      return { ...tool, name, namespace }
    }),
  )
}

export function readToolChoice(fields: Fields, tools: readonly ClientTool[]): ToolChoice {
  const given = fields.get('tool_choice')
  if (given === undefined) return 'auto'
  if (given === 'auto' || given === 'none') return given
  if (given === 'required') {
    if (tools.length === 0) throw badField('tool_choice', 'tool_choice requires a call, but there are no tools.')
    return given
  }
  if (typeof given === 'string') throw badField('tool_choice', 'tool_choice must be auto, none, required or a tool.')
  const choice = readFields(given, 'tool_choice')
  const type = choice.oneOf('type', ['function', 'allowed_tools'])
  if (type === 'function') return { type, name: offeredToolName(choice.object('function') ?? choice, tools) }
  if (type === 'allowed_tools') {
    const inner = choice.object('allowed_tools') ?? choice
    const mode = inner.oneOf('mode', ['auto', 'required']) ?? 'auto'
    const names = (inner.list('tools') ?? []).map((tool) => offeredToolName(tool.object('function') ?? tool, tools))
    if (names.length === 0) throw badField(inner.pathOf('tools'), 'allowed_tools needs at least one tool.')
    return { type, mode, tools: names.map((name) => ({ type: 'function', name })) }
  }
  throw badField('tool_choice.type', 'tool_choice.type must be function or allowed_tools.')
}

function offeredToolName(fields: Fields, tools: readonly ClientTool[]): string {
  const name = fields.needText('name')
  if (tools.some((tool) => tool.name === name)) return name
  throw badField(fields.pathOf('name'), `tool_choice names ${name}, which is not in tools.`)
}
