import type { Mode } from '../../../core/agent/index.js'
import type { CallAnswer, ModelMessage } from '../../../core/model/index.js'
import type { Request, SessionOptions } from '../../../core/session/index.js'
import { badField } from '../../server/index.js'
import { conversationOf, plainText } from '../conversation.js'
import type { CallOutputItem, Item, MessageItem } from '../items.js'
import { offeredTools, requestSettings } from '../model-request.js'
import type { Asked } from '../request/asked.js'
import type { Sealing } from '../seal.js'
import { itemsOf, type Thread } from '../thread.js'

export interface VaultRequest {
  options: SessionOptions
  request: Request
}

/** What a client asks the vault's agent: what it says last is the request, all before it the history. */
export function vaultRequest(asked: Asked, mode: Mode, thread: Thread, sealed: Sealing): VaultRequest {
  refuseForVault(asked, mode)
  const start = lastTurn(asked.input)
  const history = [
    ...thread.earlier.flatMap((reply) => reply.messages ?? conversationOf(itemsOf(reply), null, sealed).messages),
    ...conversationOf(asked.input.slice(0, start), null, sealed).messages,
  ]
  const { thinking, temperature, ...replies } = requestSettings(asked)
  const { system } = conversationOf(thread.items, asked.instructions, sealed)
  return {
    request: requestOf(asked.input.slice(start), thread.items),
    options: {
      mode,
      history: history.map(asPlainText),
      replies,
      ...(system && { instructions: system }),
      ...(temperature !== undefined && { temperature }),
      ...(thinking !== undefined && { thinking }),
      ...(asked.toolChoice !== 'none' && asked.tools.length > 0 && { clientTools: offeredTools(asked) }),
    },
  }
}

function refuseForVault({ tools, toolChoice, maxToolCalls }: Asked, mode: Mode): void {
  if (tools.length > 0 && mode !== 'agent') {
    throw badField('tools', 'Only the model notewright takes tools of the client.', 'unsupported_parameter')
  }
  if (toolChoice !== 'auto' && toolChoice !== 'none') {
    throw badField('tool_choice', 'The agent of the vault chooses its tools itself.', 'unsupported_parameter')
  }
  if (maxToolCalls !== null) {
    throw badField(
      'max_tool_calls',
      'How many calls the agent makes is a setting of the vault.',
      'unsupported_parameter',
    )
  }
}

const isOutput = (item: Item): item is CallOutputItem => item.type === 'function_call_output'
const isUser = (item: Item): item is MessageItem => item.type === 'message' && item.role === 'user'
const isRule = (item: Item): boolean => item.type === 'message' && item.role !== 'user' && item.role !== 'assistant'

/** Where what is said last begins: outputs of calls, or words of the user. */
function lastTurn(items: readonly Item[]): number {
  const last = items.at(-1)
  if (last === undefined || !(isOutput(last) || isUser(last))) throw badField('input', 'There is nothing to answer.')
  const belongs = isOutput(last) ? isOutput : (item: Item) => isUser(item) || isRule(item)
  let start = items.length - 1
  while (start > 0 && belongs(items[start - 1])) start--
  return start
}

function requestOf(items: readonly Item[], all: readonly Item[]): Request {
  const outputs = items.filter(isOutput)
  if (outputs.length > 0) return { text: '', answers: outputs.map((output) => answerOf(output, all)) }
  const parts = items.filter(isUser).flatMap(({ content }) => content)
  if (parts.some(({ type }) => type === 'input_image' || type === 'input_file')) {
    throw badField('input', 'The agent of the vault reads words; send images to a backend.', 'unsupported_part')
  }
  return { text: plainText(parts) }
}

function answerOf({ call_id, output }: CallOutputItem, items: readonly Item[]): CallAnswer {
  const call = items.find((item) => item.type === 'function_call' && item.call_id === call_id)
  const name = call?.type === 'function_call' ? call.name : ''
  return { id: call_id, name, text: typeof output === 'string' ? output : plainText(output) }
}

/** A person's words as one text, as the agent keeps them. */
function asPlainText(message: ModelMessage): ModelMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  if (message.content.some(({ type }) => type !== 'text')) return message
  return { ...message, content: message.content.map((part) => ('text' in part ? part.text : '')).join('\n') }
}
