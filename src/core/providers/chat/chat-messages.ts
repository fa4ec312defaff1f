import { base64 } from '../../files/index.js'
import {
  type LanguageModelV3FunctionTool,
  type LanguageModelV3Message,
  type LanguageModelV3Prompt,
  type LanguageModelV3ToolChoice,
  resultText,
} from '../../model/index.js'

type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]
type FilePart = Extract<UserPart, { type: 'file' }>
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>

/** The messages as `/chat/completions` takes them. */
export function chatMessages(prompt: LanguageModelV3Prompt): object[] {
  return prompt.flatMap(messagesOf)
}

export function chatTool({ name, description, inputSchema, strict }: LanguageModelV3FunctionTool) {
  return {
    type: 'function',
    function: { name, description, parameters: inputSchema, ...(strict !== undefined && { strict }) },
  }
}

export function chatToolChoice(choice: LanguageModelV3ToolChoice) {
  return choice.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice.type
}

function messagesOf(message: LanguageModelV3Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const [first, ...more] = message.content
      // Servers that know nothing but text take nothing but text.
      const isText = first?.type === 'text' && more.length === 0
      return [{ role: 'user', content: isText ? first.text : message.content.map(userPart) }]
    }
    case 'assistant': {
      const calls = message.content.filter((part): part is CallPart => part.type === 'tool-call').map(callOf)
      const text = wordsOf(message.content, 'text')
      const reasoning = wordsOf(message.content, 'reasoning')
      return [
        {
          role: 'assistant',
          content: calls.length > 0 ? text || null : text,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      ]
    }
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [{ role: 'tool', tool_call_id: part.toolCallId, content: resultText(part.output) }]
          : [],
      )
  }
}

const wordsOf = (content: readonly AssistantPart[], type: 'text' | 'reasoning'): string =>
  content.flatMap((part) => (part.type === type ? [part.text] : [])).join('')

function callOf({ toolCallId, toolName, input }: CallPart) {
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: JSON.stringify(input) } }
}

function userPart(part: UserPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType, data, filename = 'document.pdf' } = part
  if (mediaType.startsWith('image/')) {
    const type = mediaType === 'image/*' ? 'image/jpeg' : mediaType
    return { type: 'image_url', image_url: { url: data instanceof URL ? data.href : dataUrl(type, data) } }
  }
  if (data instanceof URL) throw notTaken(`a file at an address`)
  if (mediaType === 'application/pdf') return { type: 'file', file: { filename, file_data: dataUrl(mediaType, data) } }
  if (mediaType.startsWith('text/')) return { type: 'text', text: new TextDecoder().decode(bytesOf(data)) }
  throw notTaken(`a file of the type ${mediaType}`)
}

type FileData = Exclude<FilePart['data'], URL>

const dataUrl = (type: string, data: FileData): string =>
  `data:${type};base64,${typeof data === 'string' ? data : base64(data)}`

const bytesOf = (data: FileData): Uint8Array =>
  typeof data === 'string' ? Uint8Array.from(atob(data), (char) => char.charCodeAt(0)) : data

const notTaken = (what: string): Error => new Error(`An OpenAI-compatible server does not take ${what}.`)
