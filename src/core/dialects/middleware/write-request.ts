import {
  enhanceSystemPrompt,
  enhanceUserMessage,
  type LanguageModelV3CallOptions,
  type LanguageModelV3FunctionTool,
  type LanguageModelV3Prompt,
  type LanguageModelV3ToolChoice,
  noCallRule,
  type Profile,
  type SharedV3ProviderOptions,
} from '../../model/index.js'
import type { JsonSchema, ReaderTool } from '../reader-tool.js'
import { markerlessJson } from '../writing/neutralise.js'
import type { ToolChoice } from '../writing/tool-prompt.js'
import { flattenPrompt } from './flatten-prompt.js'
import type { ResultMark } from './result-mark.js'
import type { TextDialect } from './text-dialect.js'

export interface TextRequest {
  params: LanguageModelV3CallOptions
  isChanged: boolean
}

/** A request with tools as one without: they stand in the system prompt, and the conversation is text. */
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
      inputSchema: inputSchema as JsonSchema,
    })),
    choice: toolChoice(params.toolChoice),
    parallel,
  })
  const others = params.tools?.filter((tool) => tool.type !== 'function') ?? []
  const { tools: _tools, toolChoice: _choice, responseFormat, providerOptions, ...rest } = params
  // A server that lets pass nothing but JSON would let pass no call in text.
  const isFree = tools.length === 0 || isClosed
  const lesson = isFree ? teaching : [teaching, answerRule(responseFormat)].filter(Boolean).join('\n\n')
  return {
    params: {
      ...rest,
      ...(isFree && responseFormat && { responseFormat }),
      prompt: tools.length === 0 ? flat.prompt : taught(flat.prompt, lesson, rule, profile),
      ...(others.length > 0 && { tools: others }),
      ...(providerOptions && { providerOptions: withoutCallOptions(providerOptions) }),
    },
    isChanged: flat.isChanged,
  }
}

export function functionTools({ tools = [] }: LanguageModelV3CallOptions): LanguageModelV3FunctionTool[] {
  return tools.filter((tool) => tool.type === 'function')
}

/** The tools of a request for whoever reads the reply, with the other names they answer to. */
export function readerTools(
  given: LanguageModelV3CallOptions,
  aliases: Readonly<Record<string, string>> = {},
): ReaderTool[] {
  return functionTools(given).map(({ name, inputSchema }) => ({
    name,
    inputSchema: inputSchema as JsonSchema,
    aliases: Object.keys(aliases).filter((alias) => aliases[alias] === name),
  }))
}

function toolChoice(choice: LanguageModelV3ToolChoice | undefined): ToolChoice {
  // That nothing may be called now stands at the end, so that the beginning stays as it was.
  if (choice === undefined || choice.type === 'none') return 'auto'
  return choice.type === 'tool' ? { name: choice.toolName } : choice.type
}

function answerRule(format: LanguageModelV3CallOptions['responseFormat']): string {
  if (format?.type !== 'json') return ''
  const fitting = format.schema ? ` that fits this JSON Schema: ${markerlessJson(format.schema)}` : ''
  return `When you do not call a tool, your whole answer is one JSON value${fitting}`
}

/** Whether a request wants one call at a time, in the words of any provider's package. */
export function forbidsParallelCalls({ providerOptions = {} }: LanguageModelV3CallOptions): boolean {
  const { openai, anthropic, openrouter } = providerOptions
  return (
    openai?.parallelToolCalls === false ||
    anthropic?.disableParallelToolUse === true ||
    openrouter?.parallel_tool_calls === false
  )
}

/** At the end of the first system message, so that what comes before and after it stays the same. */
function taught(
  prompt: LanguageModelV3Prompt,
  teaching: string,
  rule: string,
  profile: Profile,
): LanguageModelV3Prompt {
  const [first, ...rest] = prompt[0]?.role === 'system' ? prompt : [{ role: 'system' as const, content: '' }, ...prompt]
  const content = first.role === 'system' ? first.content : ''
  const system = { ...first, role: 'system' as const, content: enhanceSystemPrompt(profile, content, teaching) }
  return [system, ...reminded(rest, profile, rule)]
}

/** A person's words are followed by the family's reminder, the last ones by the rule of this reply. */
function reminded(prompt: LanguageModelV3Prompt, profile: Profile, rule: string): LanguageModelV3Prompt {
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

/** The APIs refuse a word about calls where no tools are given. */
function withoutCallOptions(options: SharedV3ProviderOptions): SharedV3ProviderOptions {
  const words = ['parallelToolCalls', 'disableParallelToolUse', 'parallel_tool_calls']
  return Object.fromEntries(
    Object.entries(options).map(([provider, given]) => [
      provider,
      Object.fromEntries(Object.entries(given).filter(([key]) => !words.includes(key))),
    ]),
  )
}
