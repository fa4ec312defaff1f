import {
  type LanguageModelV3Message,
  type LanguageModelV3Prompt,
  type LanguageModelV3ToolResultOutput,
  type LanguageModelV3ToolResultPart,
  resultText,
} from '../../model/index.js'
import type { JsonObject } from '../reader-event.js'
import { neutralise } from '../writing/neutralise.js'
import { type WrittenResult, writeResults } from '../writing/write-results.js'
import { noteOf } from './call-note.js'
import type { ResultMark } from './result-mark.js'
import type { TextDialect } from './text-dialect.js'

type Message<Role extends LanguageModelV3Message['role']> = Extract<LanguageModelV3Message, { role: Role }>
type UserPart = Message<'user'>['content'][number]
type AssistantPart = Message<'assistant'>['content'][number]

export interface FlatPrompt {
  prompt: LanguageModelV3Prompt
  /** Some text had to be neutralised. */
  isChanged: boolean
}

/**
 * A conversation with tools as one without: calls in the dialect's own form, results as marked blocks in messages of
 * the user. Reasoning is left out. Neighbours of the same role become one, since many chat templates insist on turns.
 */
export function flattenPrompt(
  prompt: LanguageModelV3Prompt,
  { dialect, mark }: { dialect: TextDialect; mark: ResultMark },
): FlatPrompt {
  const safe = safeText()
  /** What the reader said about calls it could not read, by the call's id: better than what anyone says later. */
  const errors = new Map<string, string>()
  const messages: LanguageModelV3Message[] = []
  for (const message of prompt) {
    switch (message.role) {
      case 'system':
        messages.push({ ...message, content: safe.text(message.content) })
        break
      case 'user':
        addUser(messages, { ...message, content: message.content.map(safe.part) })
        break
      case 'assistant':
        noteErrors(message.content, errors)
        addAssistant(messages, { ...message, content: flatAssistant(message.content, dialect, safe) })
        break
      case 'tool':
        addUser(messages, { role: 'user', content: flatResults(message.content, errors, mark, safe) })
        break
      default:
        message satisfies never
    }
  }
  return { prompt: messages, isChanged: safe.isChanged() }
}

/** The same conversation with the same messages, in which only the text from outside is made safe. */
export function neutralisePrompt(prompt: LanguageModelV3Prompt): FlatPrompt {
  const safe = safeText()
  const messages = prompt.map((message): LanguageModelV3Message => {
    if (message.role === 'user') return { ...message, content: message.content.map(safe.part) }
    if (message.role !== 'tool') return message
    const content = message.content.map((part) =>
      part.type === 'tool-result' ? { ...part, output: safeOutput(part.output, safe) } : part,
    )
    return { ...message, content }
  })
  return { prompt: messages, isChanged: safe.isChanged() }
}

interface SafeText {
  text(text: string): string
  part: <Part extends { type: string; text?: string }>(part: Part) => Part
  isChanged(): boolean
}

function safeText(): SafeText {
  let isChanged = false
  const text = (given: string): string => {
    const safe = neutralise(given)
    isChanged ||= safe !== given
    return safe
  }
  return {
    text,
    part: (part) => (part.type === 'text' && part.text !== undefined ? { ...part, text: text(part.text) } : part),
    isChanged: () => isChanged,
  }
}

function flatAssistant(content: readonly AssistantPart[], dialect: TextDialect, safe: SafeText): AssistantPart[] {
  const lines: string[] = []
  const others: AssistantPart[] = []
  for (const part of content) {
    if (part.type === 'text') {
      if (!noteOf(part.providerOptions).wasReasoning) lines.push(safe.text(part.text.trim()))
    } else if (part.type === 'tool-call') lines.push(flatCall(part, dialect))
    else if (part.type === 'file') others.push(part)
  }
  const text = lines.filter((line) => line !== '').join('\n')
  return text === '' ? others : [{ type: 'text', text }, ...others]
}

function flatCall(part: Extract<AssistantPart, { type: 'tool-call' }>, dialect: TextDialect): string {
  const { input, toolName } = part
  const isCall = typeof input === 'object' && input !== null && !Array.isArray(input)
  if (noteOf(part.providerOptions).error === undefined && isCall) {
    return dialect.write({ name: toolName, arguments: input as JsonObject })
  }
  return `(Here stood a call${toolName === '' ? '' : ` of ${neutralise(toolName)}`} that could not be run.)`
}

function flatResults(
  content: Message<'tool'>['content'],
  errors: ReadonlyMap<string, string>,
  mark: ResultMark,
  safe: SafeText,
): UserPart[] {
  const results: WrittenResult[] = []
  const files: UserPart[] = []
  for (const part of content) {
    if (part.type !== 'tool-result') continue
    const result = writtenResult(part, errors, files)
    // Whether something will be neutralised is noted here; it is done where the block is written.
    safe.text(result.text)
    results.push(result)
  }
  if (results.length === 0) return files
  const texts = content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
  return [{ type: 'text', text: writeResults(results, mark([...texts, ...results.map(({ text }) => text)])) }, ...files]
}

function writtenResult(
  { toolCallId, toolName, output }: LanguageModelV3ToolResultPart,
  errors: ReadonlyMap<string, string>,
  files: UserPart[],
): WrittenResult {
  const error = errors.get(toolCallId)
  if (error !== undefined) return { name: toolName, text: error, isError: true }
  const isError = /^error|denied$/.test(output.type)
  return { name: toolName, text: outputText(output, files), ...(isError && { isError }) }
}

function outputText(output: LanguageModelV3ToolResultOutput, files: UserPart[]): string {
  if (output.type !== 'content') return resultText(output)
  const texts = output.value.map((item) => {
    if (item.type === 'text') return item.text
    if (item.type !== 'file-data' && item.type !== 'image-data') return `(${item.type}: left out)`
    files.push({ type: 'file', data: item.data, mediaType: item.mediaType })
    return '(The file follows.)'
  })
  return texts.join('\n')
}

function safeOutput(output: LanguageModelV3ToolResultOutput, safe: SafeText): LanguageModelV3ToolResultOutput {
  if (output.type === 'text' || output.type === 'error-text') return { ...output, value: safe.text(output.value) }
  if (output.type === 'content') return { ...output, value: output.value.map(safe.part) }
  if (output.type !== 'json' && output.type !== 'error-json') return output
  const text = JSON.stringify(output.value)
  const safeForm = safe.text(text)
  if (safeForm === text) return output
  return { type: output.type === 'json' ? 'text' : 'error-text', value: safeForm }
}

/** Of two calls with the same id the later one counts from where it stands. */
function noteErrors(content: readonly AssistantPart[], errors: Map<string, string>): void {
  for (const part of content) {
    if (part.type !== 'tool-call') continue
    const { error } = noteOf(part.providerOptions)
    if (error === undefined) errors.delete(part.toolCallId)
    else errors.set(part.toolCallId, error)
  }
}

function addUser(messages: LanguageModelV3Message[], message: Message<'user'>): void {
  if (message.content.length === 0) return
  const last = messages.at(-1)
  if (last?.role === 'user')
    messages[messages.length - 1] = { ...message, content: joined(last.content, message.content) }
  else messages.push(message)
}

function addAssistant(messages: LanguageModelV3Message[], message: Message<'assistant'>): void {
  if (message.content.length === 0) return
  const last = messages.at(-1)
  if (last?.role === 'assistant') {
    messages[messages.length - 1] = { ...message, content: joined(last.content, message.content) }
  } else messages.push(message)
}

/** One text stays one text: some servers take only that. */
function joined<Part extends { type: string; text?: string }>(first: readonly Part[], second: readonly Part[]): Part[] {
  const last = first.at(-1)
  const [next, ...rest] = second
  if (last?.type !== 'text' || next?.type !== 'text') return [...first, ...second]
  return [...first.slice(0, -1), { ...next, text: `${last.text}\n\n${next.text}` }, ...rest]
}
