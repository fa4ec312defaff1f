import { withDialect } from '../../src/core/dialects/index.js'
import { defaultProfile, type LanguageModelV3, type LanguageModelV3CallOptions } from '../../src/core/model/index.js'
import { type ScriptedCall, type ScriptedModel, scriptedModel } from '../doubles/scripted-model.js'
import { inDialect, type TriedDialect } from './in-dialect.js'

export interface ObedientModel {
  model: LanguageModelV3
  /** Prompts that reached the provider, step by step. */
  prompts: ScriptedModel['prompts']
}

/**
 * A model without any judgement. It makes the first calls it is given, then every call that any text in its prompt
 * tells it to make (`CALL tool {…}`, one a line), and at last repeats all it has read, word for word.
 */
export function obedientModel(dialect: TriedDialect, first: readonly ScriptedCall[]): ObedientModel {
  const obeyed = new Set<string>()
  let isStarted = false
  const scripted = scriptedModel([
    (params) => {
      const text = everythingIn(params)
      const orders = isStarted ? ordersIn(text).filter((order) => !obeyed.has(order)) : []
      for (const order of orders) obeyed.add(order)
      const call = isStarted ? orders.map(callOf) : [...first]
      isStarted = true
      return inDialect(call.length > 0 ? { say: 'At once.', call } : { say: `I was told:\n\n${text}` }, dialect)
    },
  ])
  return {
    model: withDialect(scripted, { dialect, profile: defaultProfile, textCalls: true }),
    prompts: scripted.prompts,
  }
}

/** All text from outside; of the system prompt only the part before the description of the tools. */
function everythingIn({ prompt }: LanguageModelV3CallOptions): string {
  return prompt
    .filter(({ role }) => role !== 'system' && role !== 'assistant')
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(textOf)))
    .join('\n')
}

function textOf(part: object): string {
  if ('text' in part) return `${part.text}`
  const { output } = part as { output?: { value?: unknown } }
  return typeof output?.value === 'string' ? output.value : JSON.stringify(output?.value ?? '')
}

const ordersIn = (text: string): string[] => text.match(/CALL \w+ \{.*\}/g) ?? []

function callOf(order: string): ScriptedCall {
  const [, name, input] = /CALL (\w+) (\{.*\})/.exec(order)!
  return { name, input: JSON.parse(input) }
}
