import type { Failure } from '../errors.js'
import { type ModelContext, modelFailure } from './model-failure.js'
import type { ModelRequest, OfferedTool } from './model-request.js'

/** What may be called in a reply: what the model likes, nothing, something, one tool, or some of them. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { tool: string }
  | { tools: readonly string[]; mode: 'auto' | 'required' }

/** The same in words, for the end of the last message: what stands before it stays as it was. */
export const noCallRule = 'Do not call any tool in this reply. Answer in plain text.'

/** What a reply has to keep to. */
export interface ChoiceRule {
  /** Undefined: whatever it calls. */
  allowed?: ReadonlySet<string>
  needsCall: boolean
  oneCall: boolean
}

/** Of some tools a model is offered those alone. */
export function toolsToOffer({ tools = [], toolChoice = 'auto' }: Pick<ModelRequest, 'tools' | 'toolChoice'>): {
  tools: readonly OfferedTool[]
  choice: Exclude<ToolChoice, { mode: string }>
} {
  if (typeof toolChoice === 'string' || 'tool' in toolChoice) return { tools, choice: toolChoice }
  return { tools: tools.filter(({ name }) => toolChoice.tools.includes(name)), choice: toolChoice.mode }
}

export function choiceRule(request: ModelRequest): ChoiceRule {
  const oneCall = request.settings?.parallelCalls === false
  const { tools, choice } = toolsToOffer(request)
  if ((request.tools ?? []).length === 0) return { needsCall: false, oneCall }
  if (choice === 'none') return { allowed: new Set(), needsCall: false, oneCall }
  const isFree = choice === 'auto' && typeof request.toolChoice !== 'object'
  const allowed = typeof choice === 'object' ? [choice.tool] : tools.map(({ name }) => name)
  return { ...(!isFree && { allowed: new Set(allowed) }), needsCall: choice !== 'auto', oneCall }
}

/** What is wrong with a reply that made so many calls and tried others, in words for the model; undefined when nothing. */
export function brokenChoice(rule: ChoiceRule, calls: number, refused: readonly string[]): string | undefined {
  if (calls > 0 || (!rule.needsCall && refused.length === 0)) return undefined
  const names = [...(rule.allowed ?? [])].join(', ')
  const tried = refused.map((name) => name.slice(0, 60) || 'a tool without a name').join(', ')
  if (names === '') return `No tool may be called in this reply, so ${tried} was not run. Answer in plain text.`
  const made = tried === '' ? 'no call was made' : `${tried} was not run`
  if (rule.needsCall) return `This reply must call one of these tools: ${names}. But ${made}. Make the call now.`
  return `Only these tools may be called in this reply: ${names}. So ${made}. Call one of them, or answer in plain text.`
}

export function choiceFailure(context: ModelContext, why: string): Failure {
  const message = `${context.modelId} did not keep to the choice of tools, although it was told: ${why}`
  return modelFailure('tool-choice', context, message, { hint: 'Let the model choose, or choose another model.' })
}
