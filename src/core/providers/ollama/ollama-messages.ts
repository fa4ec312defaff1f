import {
  type LanguageModelV3FunctionTool,
  type LanguageModelV3Message,
  type LanguageModelV3Prompt,
  resultText,
} from '../../model/index.js'

/** A message as `/api/chat` takes it. */
export interface OllamaMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  thinking?: string
  images?: string[]
  tool_calls?: OllamaCall[]
  tool_name?: string
  tool_call_id?: string
}

export interface OllamaCall {
  id?: string
  function: { name: string; arguments: unknown }
}

export function ollamaMessages(prompt: LanguageModelV3Prompt): OllamaMessage[] {
  return prompt.flatMap(messagesOf)
}

export function ollamaTool({ name, description, inputSchema }: LanguageModelV3FunctionTool) {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

function messagesOf(message: LanguageModelV3Message): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const images = message.content.flatMap((part) =>
        part.type === 'file' && part.mediaType.startsWith('image/') && typeof part.data === 'string' ? [part.data] : [],
      )
      return [{ role: 'user', content: textOf(message.content, 'text'), ...(images.length > 0 && { images }) }]
    }
    case 'assistant': {
      const calls = message.content.flatMap((part): OllamaCall[] =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: part.input } }]
          : [],
      )
      const thinking = textOf(message.content, 'reasoning')
      return [
        {
          role: 'assistant',
          content: textOf(message.content, 'text'),
          ...(thinking !== '' && { thinking }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      ]
    }
    case 'tool':
      return message.content.flatMap((part): OllamaMessage[] =>
        part.type === 'tool-result'
          ? [
              {
                role: 'tool',
                content: resultText(part.output),
                tool_name: part.toolName,
                tool_call_id: part.toolCallId,
              },
            ]
          : [],
      )
  }
}

function textOf(content: readonly { type: string }[], type: 'text' | 'reasoning'): string {
  return content.flatMap((part) => (part.type === type ? [(part as { text?: string }).text ?? ''] : [])).join('')
}
