import { isRecord } from '../../../core/is-record.js'
import { badField } from '../../server/index.js'
import type { Fields } from './fields.js'
import { fieldsOf } from './fields.js'

/** A tool of the client's, as a response repeats it. */
export interface ClientTool {
  type: 'function'
  name: string
  description: string | null
  parameters: Record<string, unknown> | null
  strict: boolean | null
}

export type ClientChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { type: 'function'; name: string }
  | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: { type: 'function'; name: string }[] }

const mostTools = 256

/** Tools as either API writes them: their fields beside the type, or inside `function`. */
export function clientTools(fields: Fields): ClientTool[] {
  const list = fields.list('tools') ?? []
  if (list.length > mostTools) throw badField('tools', `At most ${mostTools} tools can be offered.`)
  const names = new Set<string>()
  return list.map((tool) => {
    const type = tool.text('type')
    if (type !== 'function') {
      const message = `Tools of the type ${type ?? 'nothing'} are not run here; only functions of the client are.`
      throw badField(tool.at('type'), message, 'unsupported_tool')
    }
    const inner = tool.fields('function') ?? tool
    const name = inner.needText('name')
    if (!/^[\w.-]{1,64}$/.test(name)) {
      throw badField(inner.at('name'), 'A tool is named with letters, digits, _, - and ., at most 64 of them.')
    }
    if (names.has(name)) throw badField(inner.at('name'), `There are two tools named ${name}.`)
    names.add(name)
    const parameters = inner.get('parameters')
    if (parameters !== undefined && !isRecord(parameters)) {
      throw badField(inner.at('parameters'), `${inner.at('parameters')} must be a JSON Schema.`, 'invalid_type')
    }
    return {
      type,
      name,
      description: inner.text('description') ?? null,
      parameters: (parameters as Record<string, unknown>) ?? null,
      strict: inner.flag('strict') ?? tool.flag('strict') ?? null,
    }
  })
}

export function clientChoice(fields: Fields, tools: readonly ClientTool[]): ClientChoice {
  const given = fields.get('tool_choice')
  if (given === undefined) return 'auto'
  if (given === 'auto' || given === 'none') return given
  if (given === 'required') {
    if (tools.length === 0) throw badField('tool_choice', 'A call cannot be required where no tool is offered.')
    return given
  }
  if (typeof given === 'string') throw badField('tool_choice', 'tool_choice must be auto, none, required or a tool.')
  const choice = fieldsOf(given, 'tool_choice')
  const type = choice.oneOf('type', ['function', 'allowed_tools'])
  if (type === 'function') return { type, name: known(choice.fields('function') ?? choice, tools) }
  if (type === 'allowed_tools') {
    const inner = choice.fields('allowed_tools') ?? choice
    const mode = inner.oneOf('mode', ['auto', 'required']) ?? 'auto'
    const names = (inner.list('tools') ?? []).map((tool) => known(tool.fields('function') ?? tool, tools))
    if (names.length === 0) throw badField(inner.at('tools'), 'Name at least one tool that is allowed.')
    return { type, mode, tools: names.map((name) => ({ type: 'function', name })) }
  }
  throw badField('tool_choice.type', 'tool_choice.type must be function or allowed_tools.')
}

function known(fields: Fields, tools: readonly ClientTool[]): string {
  const name = fields.needText('name')
  if (tools.some((tool) => tool.name === name)) return name
  throw badField(fields.at('name'), `There is no tool named ${name} among the tools.`)
}
