import type { ReplyCall } from './reply-event.js'
import type { LanguageModelV3ToolCall } from './sdk.js'

/**
 * One call of a model. Arguments that are not JSON stay what they are, with a sentence the model can act on.
 * Middleware that could not read a call says why itself, in `providerMetadata.notewright.error`.
 */
export function readCall(
  { toolName, input: text = '', providerMetadata }: LanguageModelV3ToolCall,
  id: string,
): ReplyCall {
  const call = { id, name: toolName.trim(), argumentsText: text }
  const said = providerMetadata?.notewright?.error
  if (typeof said === 'string') return { ...call, input: text, error: said }
  try {
    return { ...call, input: text.trim() === '' ? {} : (JSON.parse(text) ?? {}) }
  } catch (error) {
    // The engine quotes the text; where it breaks is enough.
    const place = /position (\d+)/.exec((error as Error).message)?.[1]
    const problem = place === undefined || Number(place) >= text.length ? 'it ends too early' : `at character ${place}`
    const sentence = `The arguments of ${call.name} are not valid JSON (${problem}). Call it again with valid JSON.`
    return { ...call, input: text, error: sentence }
  }
}
