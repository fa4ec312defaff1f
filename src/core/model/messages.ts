import type { ModelMessage, ToolModelMessage, ToolResultPart } from './sdk.js'

export const userMessage = (text: string): ModelMessage => ({ role: 'user', content: text })

/** What came of a call, for the model. */
export interface CallAnswer {
  id: string
  name: string
  text: string
  isError?: boolean
}

/** What the calls of one step gave back, in the order of the calls. */
export function toolMessage(answers: readonly CallAnswer[]): ToolModelMessage {
  const part = ({ id, name, text, isError }: CallAnswer): ToolResultPart => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: isError ? 'error-text' : 'text', value: text },
  })
  return { role: 'tool', content: answers.map(part) }
}
