import {
  type LanguageModelV3CallOptions,
  type LanguageModelV3Message,
  type LanguageModelV3ToolResultOutput,
  modelFailure,
  resultText,
} from '../../../core/model/index.js'
import { codexContext } from './codex-context.js'
import type { DynamicTool, HistoryItem, InputContent, ToolCallAnswer, UserInput } from './protocol.js'

/** A request as a thread of Codex's takes it. */
export interface ThreadRequest {
  /** The system messages that begin the conversation. They stand beside Codex's own instructions, which stay. */
  developerInstructions: string
  history: HistoryItem[]
  /** What the person says now; nothing where the conversation ends with results. */
  input: UserInput[]
  tools: DynamicTool[]
  outputSchema?: unknown
}

export function threadRequest(given: LanguageModelV3CallOptions): ThreadRequest {
  const { prompt, responseFormat, toolChoice } = given
  const begin = prompt.findIndex(({ role }) => role !== 'system')
  const [systems, rest] = begin < 0 ? [prompt, []] : [prompt.slice(0, begin), prompt.slice(begin)]
  const last = rest.at(-1)
  const history = (last?.role === 'user' ? rest.slice(0, -1) : rest).flatMap(historyItems)
  return {
    developerInstructions: [...systems.map(({ content }) => String(content)), choiceRule(toolChoice)]
      .filter((text) => text !== '')
      .join('\n\n'),
    history,
    input: last?.role === 'user' ? last.content.map(userInput) : [],
    tools: offeredTools(given),
    ...(responseFormat?.type === 'json' && { outputSchema: responseFormat.schema ?? { type: 'object' } }),
  }
}

/** Codex takes no word about what must be called, so only what may be called is offered. */
function offeredTools({ tools = [], toolChoice }: LanguageModelV3CallOptions): DynamicTool[] {
  if (toolChoice?.type === 'none') return []
  return tools
    .filter((tool) => tool.type === 'function')
    .filter(({ name }) => toolChoice?.type !== 'tool' || name === toolChoice.toolName)
    .map(({ name, description = '', inputSchema }) => ({ type: 'function', name, description, inputSchema }))
}

function choiceRule(choice: LanguageModelV3CallOptions['toolChoice']): string {
  if (choice?.type === 'required') return 'Call at least one of the tools now, before you answer.'
  return choice?.type === 'tool' ? `Call ${choice.toolName} now, before you answer.` : ''
}

function historyItems(message: LanguageModelV3Message): HistoryItem[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: message.content }] }]
    case 'user':
      return [{ type: 'message', role: 'user', content: message.content.map(inputContent) }]
    case 'assistant':
      return message.content.flatMap(assistantItem)
    case 'tool':
      return message.content.flatMap((part): HistoryItem[] =>
        part.type === 'tool-result'
          ? [{ type: 'function_call_output', call_id: part.toolCallId, output: outputContent(part.output) }]
          : [],
      )
  }
}

type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]

/** Reasoning is not sent again: without its signature no server takes it. */
function assistantItem(part: AssistantPart): HistoryItem[] {
  if (part.type === 'text') {
    const content = [{ type: 'output_text' as const, text: part.text }]
    return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content }]
  }
  if (part.type !== 'tool-call') return []
  const { toolCallId, toolName, input } = part
  const written = typeof input === 'string' ? input : JSON.stringify(input)
  return [{ type: 'function_call', call_id: toolCallId, name: toolName, arguments: written }]
}

function userInput(part: UserPart): UserInput {
  const content = inputContent(part)
  return content.type === 'input_text'
    ? { type: 'text', text: content.text, text_elements: [] }
    : { type: 'image', url: content.image_url }
}

function inputContent(part: UserPart): InputContent {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  const { data, mediaType } = part
  if (!mediaType.startsWith('image/')) {
    throw modelFailure('rejected', codexContext(''), `Codex takes images, and no files of the kind ${mediaType}.`, {
      hint: 'Leave the file out, or choose another model.',
    })
  }
  return { type: 'input_image', image_url: imageUrl(data, mediaType) }
}

function imageUrl(data: string | Uint8Array | URL, mediaType: string): string {
  if (data instanceof URL) return data.href
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  return `data:${mediaType === 'image/*' ? 'image/png' : mediaType};base64,${base64}`
}

/** A result for a call that Codex waits with. */
export function toolAnswer(output: LanguageModelV3ToolResultOutput): ToolCallAnswer {
  const content = outputContent(output)
  const items: InputContent[] = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
  return {
    contentItems: items.map((item) =>
      item.type === 'input_text'
        ? { type: 'inputText', text: item.text }
        : { type: 'inputImage', imageUrl: item.image_url },
    ),
    success: !/^error|denied$/.test(output.type),
  }
}

function outputContent(output: LanguageModelV3ToolResultOutput): string | InputContent[] {
  if (output.type !== 'content') return resultText(output)
  return output.value.map((item): InputContent => {
    if (item.type === 'text') return { type: 'input_text', text: item.text }
    const isImage = (item.type === 'file-data' || item.type === 'image-data') && /^image\//.test(item.mediaType)
    if (isImage) return { type: 'input_image', image_url: imageUrl(item.data, item.mediaType) }
    return { type: 'input_text', text: `(${item.type}: left out)` }
  })
}
