// Rewrites requests for models that call tools in text, and adds rules for those that call them natively.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import {
  enhanceSystemPrompt,
  enhanceUserMessage,
  type LanguageModelV3CallOptions,
  type LanguageModelV3FunctionTool,
  type LanguageModelV3Message,
  type LanguageModelV3Prompt,
  type LanguageModelV3ToolChoice,
  type LanguageModelV3ToolResultOutput,
  type LanguageModelV3ToolResultPart,
  noCallRule,
  type Profile,
  resultText,
  type SharedV3ProviderOptions,
  toolRulesText,
} from '../../model/index.js'
import type { ArgumentSchema, ReaderTool } from '../dialect.js'
import type { JsonObject } from '../events.js'
import { markerlessJson, neutralise } from '../neutralise.js'
import { type PromptToolChoice, type TextDialect, type ToolResultText, writeResults } from '../text-dialect.js'
import { callNote } from './text-reply.js'

interface TextRequest {
  params: LanguageModelV3CallOptions
  isChanged: boolean
}

/**
 * Rewrites a request with tools as one without: the tools go into the system prompt, and the conversation becomes
 * text.
 */
export function writeRequest(
  params: LanguageModelV3CallOptions,
  { dialect, profile, mark, parallel }: { dialect: TextDialect; profile: Profile; mark: ResultMark; parallel: boolean },
): TextRequest {
  const tools = functionTools(params)
  const isClosed = params.toolChoice?.type === 'none'
  const rule = isClosed ? noCallRule : ''
  const flat = flattenPrompt(params.prompt, { dialect, mark })
  const teaching = dialect.teach({
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: inputSchema as ArgumentSchema,
    })),
    choice: promptToolChoice(params.toolChoice),
    parallel,
  })
  const others = params.tools?.filter((tool) => tool.type !== 'function') ?? []
  const { tools: _tools, toolChoice: _choice, responseFormat, providerOptions, ...rest } = params
  // A server that enforces JSON would suppress a call in text.
  const isFree = tools.length === 0 || isClosed
  const lesson = isFree ? teaching : [teaching, answerRule(responseFormat)].filter(Boolean).join('\n\n')
  return {
    params: {
      ...rest,
      ...(isFree && responseFormat && { responseFormat }),
      prompt: tools.length === 0 ? flat.prompt : addTeaching(flat.prompt, lesson, rule, profile),
      ...(others.length > 0 && { tools: others }),
      ...(providerOptions && { providerOptions: withoutCallOptions(providerOptions) }),
    },
    isChanged: flat.isChanged,
  }
}

/**
 * Adds the family's rules to a native request that offers tools: rules after the system prompt, a reminder after user
 * messages.
 */
export function addToolRules(options: LanguageModelV3CallOptions, profile: Profile): LanguageModelV3CallOptions {
  if (profile.toolRules.length === 0 && profile.toolReminder === undefined) return options
  return functionTools(options).length === 0
    ? options
    : { ...options, prompt: promptWithRules(options.prompt, profile) }
}

function promptWithRules(prompt: LanguageModelV3Prompt, profile: Profile): LanguageModelV3Prompt {
  const rules = toolRulesText(profile)
  return prompt.map((message, at) => {
    if (message.role === 'system' && at === 0 && rules !== '') {
      return { ...message, content: `${message.content}\n\n${rules}` }
    }
    if (message.role !== 'user') return message
    const part = message.content.at(-1)
    if (part?.type !== 'text') return message
    const text = enhanceUserMessage(profile, part.text, true)
    return { ...message, content: [...message.content.slice(0, -1), { ...part, text }] }
  })
}

export function functionTools({ tools = [] }: LanguageModelV3CallOptions): LanguageModelV3FunctionTool[] {
  return tools.filter((tool) => tool.type === 'function')
}

/** The tools of a request for the reader, with their other names. */
export function readerTools(
  given: LanguageModelV3CallOptions,
  aliases: Readonly<Record<string, string>> = {},
): ReaderTool[] {
  return functionTools(given).map(({ name, inputSchema }) => ({
    name,
    inputSchema: inputSchema as ArgumentSchema,
    aliases: Object.keys(aliases).filter((alias) => aliases[alias] === name),
  }))
}

function promptToolChoice(choice: LanguageModelV3ToolChoice | undefined): PromptToolChoice {
  // The rule for `none` comes last, so that the beginning stays unchanged.
  if (choice === undefined || choice.type === 'none') return 'auto'
  return choice.type === 'tool' ? { name: choice.toolName } : choice.type
}

function answerRule(format: LanguageModelV3CallOptions['responseFormat']): string {
  if (format?.type !== 'json') return ''
  const fitting = format.schema ? ` that fits this JSON Schema: ${markerlessJson(format.schema)}` : ''
  return `When you do not call a tool, answer with exactly one JSON value${fitting}`
}

/** True if a request wants one call at a time, in the options of any provider's package. */
export function forbidsParallelCalls({ providerOptions = {} }: LanguageModelV3CallOptions): boolean {
  const { openai, anthropic, openrouter } = providerOptions
  return (
    openai?.parallelToolCalls === false ||
    anthropic?.disableParallelToolUse === true ||
    openrouter?.parallel_tool_calls === false
  )
}

/** Appends to the first system message, so that the text before and after it stays the same. */
function addTeaching(
  prompt: LanguageModelV3Prompt,
  teaching: string,
  rule: string,
  profile: Profile,
): LanguageModelV3Prompt {
  const [first] = prompt
  const given = first?.role === 'system' ? first : { role: 'system' as const, content: '' }
  const system = { ...given, content: enhanceSystemPrompt(profile, given.content, teaching) }
  return [system, ...addReminders(given === first ? prompt.slice(1) : prompt, profile, rule)]
}

/** Appends the family's reminder to user messages, and the rule of this reply to the last one. */
function addReminders(prompt: LanguageModelV3Prompt, profile: Profile, rule: string): LanguageModelV3Prompt {
  return prompt.map((message, at) => {
    const part = message.role === 'user' ? message.content.at(-1) : undefined
    if (message.role !== 'user' || part?.type !== 'text') return message
    const isResult = part.text.startsWith('[tool_result ')
    const words = isResult ? part.text : enhanceUserMessage(profile, part.text, true)
    const isRuled = at < prompt.length - 1 || rule === '' || words.includes(rule)
    const text = isRuled ? words : `${words}\n\n${rule}`
    return { ...message, content: [...message.content.slice(0, -1), { ...part, text }] }
  })
}

/** The APIs refuse options about calls in a request without tools. */
function withoutCallOptions(options: SharedV3ProviderOptions): SharedV3ProviderOptions {
  const words = ['parallelToolCalls', 'disableParallelToolUse', 'parallel_tool_calls']
  return Object.fromEntries(
    Object.entries(options).map(([provider, given]) => [
      provider,
      Object.fromEntries(Object.entries(given).filter(([key]) => !words.includes(key))),
    ]),
  )
}

type Message<Role extends LanguageModelV3Message['role']> = Extract<LanguageModelV3Message, { role: Role }>
type UserPart = Message<'user'>['content'][number]
type AssistantPart = Message<'assistant'>['content'][number]

interface FlatPrompt {
  prompt: LanguageModelV3Prompt
  /** Some text had to be neutralised. */
  isChanged: boolean
}

/**
 * Rewrites a conversation with tools as one without: calls in the dialect's form, results as marked blocks in user
 * messages. Reasoning is left out. Adjacent messages of one role are joined, since many chat templates require
 * alternating roles.
 */
function flattenPrompt(
  prompt: LanguageModelV3Prompt,
  { dialect, mark }: { dialect: TextDialect; mark: ResultMark },
): FlatPrompt {
  const safe = neutraliser()
  /** The reader's messages about unreadable calls, by call id: more precise than any later result. */
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

/** The same messages, with only the text from outside neutralised. */
export function neutralisePrompt(prompt: LanguageModelV3Prompt): FlatPrompt {
  const safe = neutraliser()
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

type Neutraliser = ReturnType<typeof neutraliser>

/** Neutralises texts, and remembers whether any text was changed. */
function neutraliser() {
  let isChanged = false
  const text = (given: string): string => {
    const safe = neutralise(given)
    isChanged ||= safe !== given
    return safe
  }
  return {
    text,
    part: <Part extends { type: string; text?: string }>(part: Part): Part =>
      part.type === 'text' && part.text !== undefined ? { ...part, text: text(part.text) } : part,
    isChanged: (): boolean => isChanged,
  }
}

function flatAssistant(content: readonly AssistantPart[], dialect: TextDialect, safe: Neutraliser): AssistantPart[] {
  const lines: string[] = []
  const others: AssistantPart[] = []
  for (const part of content) {
    if (part.type === 'text') {
      if (!callNote(part.providerOptions).wasReasoning) lines.push(safe.text(part.text.trim()))
    } else if (part.type === 'tool-call') lines.push(flatCall(part, dialect))
    else if (part.type === 'file') others.push(part)
  }
  const text = lines.filter((line) => line !== '').join('\n')
  return text === '' ? others : [{ type: 'text', text }, ...others]
}

function flatCall(part: Extract<AssistantPart, { type: 'tool-call' }>, dialect: TextDialect): string {
  const { input, toolName } = part
  const isCall = typeof input === 'object' && input !== null && !Array.isArray(input)
  if (callNote(part.providerOptions).error === undefined && isCall) {
    return dialect.write({ name: toolName, arguments: input as JsonObject })
  }
  return `(A call${toolName === '' ? '' : ` of ${neutralise(toolName)}`} was here that could not be run.)`
}

function flatResults(
  content: Message<'tool'>['content'],
  errors: ReadonlyMap<string, string>,
  mark: ResultMark,
  safe: Neutraliser,
): UserPart[] {
  const results: ToolResultText[] = []
  const files: UserPart[] = []
  for (const part of content) {
    if (part.type !== 'tool-result') continue
    const result = writtenResult(part, errors, files)
    // Only records whether something will be neutralised; writing the block does it.
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
): ToolResultText {
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

function safeOutput(output: LanguageModelV3ToolResultOutput, safe: Neutraliser): LanguageModelV3ToolResultOutput {
  if (output.type === 'text' || output.type === 'error-text') return { ...output, value: safe.text(output.value) }
  if (output.type === 'content') return { ...output, value: output.value.map(safe.part) }
  if (output.type !== 'json' && output.type !== 'error-json') return output
  const text = JSON.stringify(output.value)
  const safeForm = safe.text(text)
  if (safeForm === text) return output
  return { type: output.type === 'json' ? 'text' : 'error-text', value: safeForm }
}

/** If two calls have the same id, the later one wins from its position on. */
function noteErrors(content: readonly AssistantPart[], errors: Map<string, string>): void {
  for (const part of content) {
    if (part.type !== 'tool-call') continue
    const { error } = callNote(part.providerOptions)
    if (error === undefined) errors.delete(part.toolCallId)
    else errors.set(part.toolCallId, error)
  }
}

function addUser(messages: LanguageModelV3Message[], message: Message<'user'>): void {
  if (message.content.length === 0) return
  const last = messages.at(-1)
  if (last?.role === 'user')
    messages[messages.length - 1] = { ...message, content: joinContent(last.content, message.content) }
  else messages.push(message)
}

function addAssistant(messages: LanguageModelV3Message[], message: Message<'assistant'>): void {
  if (message.content.length === 0) return
  const last = messages.at(-1)
  if (last?.role === 'assistant') {
    messages[messages.length - 1] = { ...message, content: joinContent(last.content, message.content) }
  } else messages.push(message)
}

/** Adjacent texts stay one text: some servers accept only one. */
function joinContent<Part extends { type: string; text?: string }>(
  first: readonly Part[],
  second: readonly Part[],
): Part[] {
  const last = first.at(-1)
  const [next, ...rest] = second
  if (last?.type !== 'text' || next?.type !== 'text') return [...first, ...second]
  return [...first.slice(0, -1), { ...next, text: `${last.text}\n\n${next.text}` }, ...rest]
}

/** Computes the mark around results from their texts. */
type ResultMark = (texts: readonly string[]) => string

/**
 * Marks that cannot be guessed without a secret created here. The same results get the same mark in every request of a
 * conversation, so that a provider's prefix cache stays valid; other results get another mark, so that a leaked mark
 * is useless.
 */
export function resultMarks(): ResultMark {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  return (texts) => bytesToHex(hmac(sha256, secret, new TextEncoder().encode(JSON.stringify(texts)))).slice(0, 12)
}
