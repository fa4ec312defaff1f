import type {
  AssistantModelMessage,
  ModelMessage,
  ToolModelMessage,
  ToolResultPart,
  UserModelMessage,
} from '../../core/model/index.js'
import { badField } from '../server/index.js'
import type { CallItem, CallOutputItem, ContentPart, Item, MessageItem, ReasoningItem } from './items.js'
import type { Sealing } from './seal.js'

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]
type UserPart = Exclude<UserModelMessage['content'], string>[number]

export interface Conversation {
  system: string
  messages: ModelMessage[]
}

/** The items as a model gets them. Whoever wrote rules for it, and wherever, they stand at the beginning. */
export function conversationOf(items: readonly Item[], instructions: string | null, sealed: Sealing): Conversation {
  const rules = items.filter((item): item is MessageItem => item.type === 'message' && isRule(item))
  const system = [instructions ?? '', ...rules.map(({ content }) => plainText(content))].filter(Boolean).join('\n\n')
  const calls = new Map(items.flatMap((item) => (item.type === 'function_call' ? [[item.call_id, item]] : [])))
  const messages: ModelMessage[] = []
  for (const item of items) addItem(messages, item, calls, sealed)
  return { system, messages: messages.map((message) => inOrderOfCalls(message, [...calls.keys()])) }
}

const isRule = ({ role }: MessageItem): boolean => role === 'system' || role === 'developer'

function addItem(messages: ModelMessage[], item: Item, calls: ReadonlyMap<string, CallItem>, sealed: Sealing): void {
  switch (item.type) {
    case 'message':
      if (item.role === 'user') messages.push({ role: 'user', content: item.content.map(userPart) })
      else if (item.role === 'assistant') assistant(messages).push(...item.content.flatMap(saidPart))
      return
    case 'reasoning':
      assistant(messages).push(...thoughtParts(item, sealed))
      return
    case 'function_call':
      assistant(messages).push({
        type: 'tool-call',
        toolCallId: item.call_id,
        toolName: item.name,
        input: argumentsOf(item),
      })
      return
    case 'function_call_output':
      results(messages).push(resultPart(item, calls.get(item.call_id)?.name ?? ''))
      return
    case 'compaction':
      messages.push({ role: 'user', content: compactedText(item.encrypted_content, sealed) })
      return
    case 'notewright:step':
      return
    default:
      item satisfies never
  }
}

/** What the last message of the assistant is made of; a new one where somebody else spoke last. */
function assistant(messages: ModelMessage[]): AssistantPart[] {
  const last = messages.at(-1)
  if (last?.role === 'assistant') return last.content as AssistantPart[]
  const content: AssistantPart[] = []
  messages.push({ role: 'assistant', content })
  return content
}

function results(messages: ModelMessage[]): ToolModelMessage['content'] {
  const last = messages.at(-1)
  if (last?.role === 'tool') return last.content
  const content: ToolModelMessage['content'] = []
  messages.push({ role: 'tool', content })
  return content
}

/** Outputs may come in any order; a model is told them in the order of its calls. */
function inOrderOfCalls(message: ModelMessage, order: readonly string[]): ModelMessage {
  if (message.role !== 'tool') return message
  const place = (part: ToolModelMessage['content'][number]) =>
    part.type === 'tool-result' ? order.indexOf(part.toolCallId) : order.length
  return { ...message, content: [...message.content].sort((one, other) => place(one) - place(other)) }
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

function saidPart(part: ContentPart): AssistantPart[] {
  const text = textOf(part)
  return text === '' ? [] : [{ type: 'text', text }]
}

function thoughtParts({ summary, encrypted_content: kept }: ReasoningItem, sealed: Sealing): AssistantPart[] {
  const text = summary.map((part) => part.text).join('\n\n')
  const options = kept === undefined ? undefined : sealed.open<{ options?: object }>('reasoning', kept)?.options
  if (text === '' && options === undefined) return []
  return [{ type: 'reasoning', text, ...(options && { providerOptions: options as never }) }]
}

function argumentsOf({ arguments: text }: CallItem): unknown {
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
  const inside = /^data:([^;,]+);base64,/i.exec(part.image_url)
  if (inside === null) return { type: 'image-url', url: part.image_url }
  return { type: 'image-data', data: part.image_url.slice(inside[0].length), mediaType: inside[1] }
}

function compactedText(kept: string, sealed: Sealing): string {
  const opened = sealed.open<{ text: string }>('compaction', kept)
  if (opened === undefined)
    throw badField('input', 'This compaction was not made by this server.', 'invalid_compaction')
  return opened.text
}

export function plainText(parts: readonly ContentPart[]): string {
  return parts.map(textOf).join('\n')
}

function textOf(part: ContentPart): string {
  return 'text' in part ? part.text : part.type === 'refusal' ? part.refusal : ''
}
