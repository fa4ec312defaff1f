import type { Failure } from '../errors.js'
import { type ModelMessage, modelFailure, type ToolModelMessage } from '../model/index.js'
import { charactersFor, estimateTokens } from '../text/index.js'
import { cutText } from '../tools/index.js'
import { referenceIn, replaceFiles } from './file-parts.js'
import { offeredTool, type ToolDetail } from './offered-tools.js'
import { systemPrompt } from './system-prompt.js'
import type { AgentSetup } from './turn.js'

// `!` is used on messages: `kept` and `tokens` have an entry for each, and the loops stay between the request and the
// end.

export interface RequestParts {
  system: string
  messages: readonly ModelMessage[]
  tools: readonly unknown[]
  /** Index of the first message of this turn, which is the user's. */
  requestAt: number
}

/** Tokens added by the model's template and by the instructions of a dialect. */
const addedBelow = 250

/** Fits the conversation into the window beside the prompt and the tools; throws if that is impossible. */
export function fitRequest(
  { system, messages, tools, requestAt }: RequestParts,
  window: Window,
  model: { name: string; scale?: number },
): Fitted | Failure {
  const fixed = fixedTokens(system, tools)
  const limit = requestRoom(window) * (model.scale ?? 1) - fixed
  const fitted = fitMessages(messages, limit, requestAt)
  if (fitted.tokens <= limit) return fitted
  const needed = Math.ceil((fitted.tokens + fixed + window.tokens - requestRoom(window)) / 1024) * 1024
  return modelFailure(
    'context',
    { provider: model.name, modelId: model.name },
    `This needs a context window of about ${needed.toLocaleString('en')} tokens, but ${model.name} has ${window.tokens.toLocaleString('en')}.`,
    {
      hint:
        window.hint?.replace('{tokens}', String(needed)) ??
        'Ask about fewer notes, or choose a model with a larger context window.',
    },
  )
}

function fixedTokens(system: string, tools: readonly unknown[]): number {
  return estimateTokens(system) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))) + addedBelow
}

/** The tokens a conversation has beside the prompt and the tools; undefined where there is no limit. */
export function roomFor(setup: AgentSetup): number | undefined {
  const { window, toolset } = setup
  if (window === undefined) return undefined
  const tools = toolset.map((tool) => offeredTool(tool, detailFor(window)))
  return requestRoom(window) - fixedTokens(systemPrompt(setup), tools)
}

/** Estimated tokens of a request. */
export function requestTokens(setup: AgentSetup, messages: readonly ModelMessage[]): number {
  const tools = setup.toolset.map((tool) => offeredTool(tool, detailFor(setup.window)))
  return messages.reduce((sum, message) => sum + messageTokens(message), fixedTokens(systemPrompt(setup), tools))
}

/** The notice for a conversation that was trimmed further. */
export function trimNotice(
  now: Fitted,
  before: Pick<Fitted, 'folded' | 'dropped'>,
  window: Window,
): string | undefined {
  const parts = [
    now.folded > before.folded && counted(now.folded, 'older result', 'shortened'),
    now.dropped > before.dropped && counted(now.dropped, 'older message', 'left out'),
  ].filter(Boolean)
  if (parts.length === 0) return undefined
  return `To fit the context window of ${window.tokens.toLocaleString('en')} tokens: ${parts.join(', ')}.`
}

const counted = (count: number, what: string, done: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'} ${done}`

interface Fitted {
  messages: ModelMessage[]
  /** Numbers of shortened results and reasoning texts, and of dropped messages. */
  folded: number
  dropped: number
  tokens: number
}

/** Trimming goes down to this share, so that the next requests share this one's prefix. */
const afterTrimming = 0.7

/** Minimum size of the newest results, in tokens. */
const leastResult = 120

/**
 * Trims a conversation to at most `limit` tokens. Messages that fit stay unchanged. Otherwise older results become one
 * line, then the oldest turns go, then the oldest steps of this turn, and finally the newest results are cut. Every
 * call keeps its result, and the user's newest message is never changed.  Messages are trimmed in the order they were
 * added, request by request: what an earlier request trimmed stays trimmed the same way, so that providers can reuse
 * their prompt cache. `requestAt` is the index of the newest message.
 */
export function fitMessages(messages: readonly ModelMessage[], limit: number, requestAt: number): Fitted {
  const trim: Trim = {
    kept: messages.map((message) => message),
    tokens: messages.map(messageTokens),
    folded: new Set(),
    dropped: new Set(),
    sum: 0,
  }
  let request = 0
  for (let end = 1; end <= messages.length; end++) {
    trim.sum += trim.tokens[end - 1]!
    const { role } = messages[end - 1]!
    // A user message after results is ours, not the user's.
    if (role === 'user' && messages[end - 2]?.role !== 'tool') request = end - 1
    const isAsked = end === messages.length || messages[end]!.role === 'assistant'
    if (isAsked) trimTo(trim, limit, end, end === messages.length || end - 1 >= requestAt ? requestAt : request)
  }
  const rest = messages.flatMap((_message, at) => (trim.dropped.has(at) ? [] : [trim.kept[at]!]))
  return {
    messages: rest,
    folded: [...trim.folded].filter((at) => !trim.dropped.has(at)).length,
    dropped: trim.dropped.size,
    tokens: trim.sum,
  }
}

interface Trim {
  kept: ModelMessage[]
  tokens: number[]
  folded: Set<number>
  dropped: Set<number>
  /** Tokens of what is kept up to here. */
  sum: number
}

function trimTo(trim: Trim, limit: number, end: number, request: number): void {
  if (trim.sum <= limit) return
  const target = limit * afterTrimming
  foldOlder(trim, target, end, request)
  dropTurns(trim, target, request)
  dropSteps(trim, limit, end, request)
  cutNewest(trim, limit, end, request)
}

function foldOlder(trim: Trim, target: number, end: number, request: number): void {
  const newest = lastResults(trim, end, request)
  for (let at = 0; at < end && trim.sum > target; at++) {
    if (trim.dropped.has(at) || trim.folded.has(at) || at === newest) continue
    // A model may need the thoughts of the turn it is in: some providers insist on them.
    if (trim.kept[at]!.role !== 'tool' && at >= request) continue
    const folded = foldMessage(trim.kept[at]!)
    const tokens = messageTokens(folded)
    if (tokens >= trim.tokens[at]!) continue
    put(trim, at, folded)
    trim.folded.add(at)
  }
}

/** Drops whole turns: from one user message to the next. */
function dropTurns(trim: Trim, target: number, request: number): void {
  for (let at = 0; at < request && trim.sum > target; ) {
    let next = at + 1
    while (next < request && trim.kept[next]!.role !== 'user') next++
    for (let inside = at; inside < next; inside++) drop(trim, inside)
    at = next
  }
}

/** Calls together with their results, those of the last step excepted. */
function dropSteps(trim: Trim, limit: number, end: number, request: number): void {
  const newest = lastResults(trim, end, request)
  for (let at = request + 1; at + 1 < newest && trim.sum > limit; at++) {
    if (trim.dropped.has(at) || trim.kept[at]!.role !== 'assistant' || trim.kept[at + 1]!.role !== 'tool') continue
    drop(trim, at)
    drop(trim, at + 1)
  }
}

function cutNewest(trim: Trim, limit: number, end: number, request: number): void {
  const at = lastResults(trim, end, request)
  const over = trim.sum - limit
  if (at < 0 || over <= 0) return
  put(trim, at, cutResults(trim.kept[at]!, Math.max(leastResult, trim.tokens[at]! - over - aroundResults)))
  trim.folded.add(at)
}

/** Excludes the text around the results from the count. */
const aroundResults = 40

function put(trim: Trim, at: number, message: ModelMessage): void {
  const tokens = messageTokens(message)
  trim.sum += tokens - trim.tokens[at]!
  trim.kept[at] = message
  trim.tokens[at] = tokens
}

function drop(trim: Trim, at: number): void {
  if (trim.dropped.has(at)) return
  trim.dropped.add(at)
  trim.sum -= trim.tokens[at]!
}

/** Index in the current turn; -1 if there is none yet. */
function lastResults({ kept, dropped }: Trim, end: number, request: number): number {
  for (let at = end - 1; at > request; at--) if (kept[at]!.role === 'tool' && !dropped.has(at)) return at
  return -1
}

type ToolPart = Exclude<ToolModelMessage['content'], string>[number]
type ResultPart = Extract<ToolPart, { type: 'tool-result' }>

/** A shortened message: results as one line, pictures by name, answers without their reasoning. */
function foldMessage(message: ModelMessage): ModelMessage {
  if (message.role === 'tool') return withResults(message, foldedText)
  if (message.role === 'user') return withoutFiles(message)
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  const content = message.content.filter(({ type }) => type !== 'reasoning')
  if (content.length === 0 || content.length === message.content.length) return message
  // Provider data on the text belongs to the reasoning; the provider refuses one without the other.
  return { ...message, content: content.map(withoutProviderOptions) }
}

function withoutProviderOptions<Part extends object>(part: Part): Part {
  const { providerOptions: _, ...rest } = part as Part & { providerOptions?: unknown }
  return rest as Part
}

function withoutFiles(message: ModelMessage): ModelMessage {
  if (typeof message.content === 'string') return message
  return replaceFiles([message], ({ name }) => [{ type: 'text', text: `(Left out to save space: ${name})` }])[0]!
}

/** Cuts the results of a step so that together they take at most this many tokens. */
function cutResults(message: ModelMessage, tokens: number): ModelMessage {
  if (message.role !== 'tool') return message
  const share = Math.floor(tokens / Math.max(1, message.content.length))
  return withResults(message, (text) => cutToFit(text, share))
}

/** Cuts a text that is too long for the model at its end and marks the cut. */
export function cutToFit(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const kept = cutText(text, charactersFor(text, Math.max(0, tokens - noteTokens)))
  const left = (text.length - kept.length).toLocaleString('en')
  return `${kept}\n[Shortened to fit: ${left} characters are left out. Ask for less, or for one part.]`
}

/** Tokens of the sentence that marks a cut. */
const noteTokens = 30

function withResults(message: ToolModelMessage, change: (text: string, name: string) => string): ToolModelMessage {
  const content = message.content.map((part): ToolPart => {
    if (part.type !== 'tool-result') return part
    const { type } = part.output
    if (type !== 'text' && type !== 'error-text') return part
    const text = change(part.output.value, part.toolName)
    return { ...part, output: { type, value: text } } satisfies ResultPart
  })
  return { ...message, content }
}

const mostPaths = 8
const shortEnough = 160

/** The subject of an old result: its notes, or its first words. */
function foldedText(text: string, name: string): string {
  if (text.length <= shortEnough) return text
  const [firstLine = ''] = text.split('\n', 1)
  // The line above a note's text contains its path and lines; a list of hits contains its notes.
  const paths = [...new Set([...text.matchAll(/"path":"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => path))]
  const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : ''
  const about =
    paths.length > 0 ? `${paths.slice(0, mostPaths).join(', ')}${more}` : cutText(firstLine, shortEnough).trim()
  return `(Left out to save space. ${name} returned: ${about})`
}

/** Overhead of a message: role, end marker, call ids. */
const aroundMessage = 6
const aroundPart = 14
/** An image of usual size. */
const ofFile = 1000

export function messageTokens({ content }: ModelMessage): number {
  if (typeof content === 'string') return aroundMessage + estimateTokens(content)
  let tokens = aroundMessage
  for (const part of content) tokens += partTokens(part as unknown as Record<string, unknown>)
  return tokens
}

function partTokens(part: Record<string, unknown>): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateTokens(String(part.text))
    case 'tool-call':
      return aroundPart + estimateTokens(String(part.toolName)) + estimateTokens(JSON.stringify(part.input) ?? '')
    case 'tool-result': {
      const { value } = part.output as { value?: unknown }
      return aroundPart + estimateTokens(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    }
    default:
      return aroundPart + (referenceIn(part)?.tokens ?? ofFile)
  }
}

/** The context window of a model, and advice for the user when it is too small. */
export interface Window {
  tokens: number
  hint?: string
}

/** Below this, a model gets fewer tools and shorter prompts. */
const tightBelow = 16_000

export const isTight = (window: Window | undefined): boolean => window !== undefined && window.tokens < tightBelow

/** Below this, the descriptions of all tools would take a large part of the window. */
const shortBelow = 48_000

export function detailFor(window: Window | undefined): ToolDetail {
  if (isTight(window)) return 'least'
  return window !== undefined && window.tokens < shortBelow ? 'short' : 'full'
}

/** Tokens left for the request after the answer's share. */
export function requestRoom({ tokens }: Window): number {
  return tokens - Math.min(8192, Math.max(512, Math.floor(tokens / 4)))
}

/** About what stands before the conversation. */
const beforeConversation = 1200

/** Token limit of one result. It is constant, so that the parts of a long note fit together. */
export function resultRoom(window: Window): number {
  return Math.max(300, Math.floor((requestRoom(window) - beforeConversation) * 0.35))
}
