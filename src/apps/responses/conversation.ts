import type {
  AssistantModelMessage,
  ModelMessage,
  ToolModelMessage,
  ToolResultPart,
  UserModelMessage,
} from '../../core/model/index.js'
import { badField } from '../server/index.js'
import {
  type CallItem,
  type CallOutputItem,
  type ContentPart,
  type Item,
  type MessageItem,
  nameForModel,
  type ReasoningItem,
} from './items.js'
import type { Signer } from './sign.js'

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]
type UserPart = Exclude<UserModelMessage['content'], string>[number]

interface Conversation {
  system: string
  messages: ModelMessage[]
}

/** The items as messages for a model. All system and developer messages become the system prompt. */
export function modelConversation(items: readonly Item[], instructions: string | null, signer: Signer): Conversation {
  const instructionItems = items.filter((item): item is MessageItem => item.type === 'message' && isInstruction(item))
  const system = [instructions ?? '', ...instructionItems.map(({ content }) => textOfParts(content))]
    .filter(Boolean)
    .join('\n\n')
  const calls = new Map(items.flatMap((item) => (item.type === 'function_call' ? [[item.call_id, item]] : [])))
  const messages: ModelMessage[] = []
  for (const item of items) addItem(messages, item, calls, signer)
  return { system, messages: messages.map((message) => inOrderOfCalls(message, [...calls.keys()])) }
}

const isInstruction = ({ role }: MessageItem): boolean => role === 'system' || role === 'developer'

function addItem(messages: ModelMessage[], item: Item, calls: ReadonlyMap<string, CallItem>, signer: Signer): void {
  switch (item.type) {
    case 'message':
      if (item.role === 'user') messages.push({ role: 'user', content: item.content.map(userPart) })
      else if (item.role === 'assistant') assistantParts(messages).push(...item.content.flatMap(assistantText))
      return
    case 'reasoning':
      assistantParts(messages).push(...reasoningParts(item, signer))
      return
    case 'function_call':
      assistantParts(messages).push({
        type: 'tool-call',
        toolCallId: item.call_id,
        toolName: nameForModel(item),
        input: callArguments(item),
      })
      return
    case 'function_call_output':
      toolResults(messages).push(resultPart(item, toolNameOf(calls.get(item.call_id))))
      return
    case 'compaction':
      messages.push({ role: 'user', content: compactedText(item.encrypted_content, signer) })
      return
    case 'notewright:step':
      return
    default:
      item satisfies never
  }
}

const toolNameOf = (call: CallItem | undefined): string => (call === undefined ? '' : nameForModel(call))

/** The parts of the last message if it is the assistant's, or of a new one. */
function assistantParts(messages: ModelMessage[]): AssistantPart[] {
  const last = messages.at(-1)
  if (last?.role === 'assistant') return last.content as AssistantPart[]
  const content: AssistantPart[] = []
  messages.push({ role: 'assistant', content })
  return content
}

function toolResults(messages: ModelMessage[]): ToolModelMessage['content'] {
  const last = messages.at(-1)
  if (last?.role === 'tool') return last.content
  const content: ToolModelMessage['content'] = []
  messages.push({ role: 'tool', content })
  return content
}

/** Sorts tool results by the order of the calls: clients may send them in any order. */
function inOrderOfCalls(message: ModelMessage, order: readonly string[]): ModelMessage {
  if (message.role !== 'tool') return message
  const position = (part: ToolModelMessage['content'][number]) =>
    part.type === 'tool-result' ? order.indexOf(part.toolCallId) : order.length
  return { ...message, content: [...message.content].sort((one, other) => position(one) - position(other)) }
}

function userPart(part: ContentPart): UserPart {
  switch (part.type) {
    case 'input_image':
      return { type: 'image', image: part.image_url }
    case 'input_file': {
      const { file_data: data = '', file_url: url, filename } = part
      const mediaType = /^data:([^;,]+)/i.exec(data)?.[1] ?? 'application/octet-stream'
      return { type: 'file', data: url === undefined ? data : new URL(url), mediaType, ...(filename && { filename }) }
    }
    default:
      return { type: 'text', text: textOf(part) }
  }
}

function assistantText(part: ContentPart): AssistantPart[] {
  const text = textOf(part)
  return text === '' ? [] : [{ type: 'text', text }]
}

function reasoningParts({ summary, encrypted_content: kept }: ReasoningItem, signer: Signer): AssistantPart[] {
  const text = summary.map((part) => part.text).join('\n\n')
  const options = kept === undefined ? undefined : signer.verify<{ options?: object }>('reasoning', kept)?.options
  if (text === '' && options === undefined) return []
  return [{ type: 'reasoning', text, ...(options && { providerOptions: options as never }) }]
}

function callArguments({ arguments: text }: CallItem): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { malformed_arguments: text }
  } catch {
    return { malformed_arguments: text }
  }
}

function resultPart({ call_id, output }: CallOutputItem, toolName: string): ToolResultPart {
  const value = typeof output === 'string' ? output : undefined
  return {
    type: 'tool-result',
    toolCallId: call_id,
    toolName,
    output:
      value !== undefined
        ? { type: 'text', value }
        : { type: 'content', value: (output as ContentPart[]).map(resultContent) },
  }
}

type ResultContent = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number]

function resultContent(part: ContentPart): ResultContent {
  if (part.type !== 'input_image') return { type: 'text', text: textOf(part) }
  const [prefix, mediaType] = /^data:([^;,]+);base64,/i.exec(part.image_url) ?? []
  if (prefix === undefined || mediaType === undefined) return { type: 'image-url', url: part.image_url }
  return { type: 'image-data', data: part.image_url.slice(prefix.length), mediaType }
}

function compactedText(kept: string, signer: Signer): string {
  const opened = signer.verify<{ text: string }>('compaction', kept)
  if (opened === undefined)
    throw badField('input', 'This compaction was not made by this server.', 'invalid_compaction')
  return opened.text
}

export function textOfParts(parts: readonly ContentPart[]): string {
  return parts.map(textOf).join('\n')
}

function textOf(part: ContentPart): string {
  return 'text' in part ? part.text : part.type === 'refusal' ? part.refusal : ''
}
