import type { Failure } from '../errors.js'
import { endingFailure } from './ending-failure.js'
import { failureFrom, type ModelContext } from './model-failure.js'
import { noticeIn, textCallsIn } from './notice-part.js'
import { readCall } from './read-call.js'
import type { ReplyCall, ReplyEvent, ReplyFinish, ReplyMessage, ReplyPiece, StepUsage } from './reply-event.js'
import type { LanguageModelV3StreamPart, ModelMessage, SharedV3ProviderMetadata } from './sdk.js'
import type { ChoiceRule } from './tool-choice.js'

type Part<Type extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: Type }>
type Words = Extract<ReplyPiece, { type: 'text' | 'reasoning' }>
type Metadata = SharedV3ProviderMetadata | undefined

/** One reply as far as it has come. */
export interface Reply {
  context: ModelContext
  rule: ChoiceRule
  pieces: ReplyPiece[]
  /** The pieces that words are still added to, by the ids of the stream. */
  open: Map<string, Words>
  calls: ReplyCall[]
  /** Names of calls that the choice of tools does not allow. */
  refused: string[]
  /** Names of calls that were written as text and do not count. */
  writtenAsText: string[]
  /** Events that wait until the call that must be made has been made. */
  held?: ReplyEvent[]
  /** Ids that calls have, and those of calls still being written by the ids of the stream. */
  ids?: Set<string>
  begun: number
  conversation: readonly ModelMessage[]
  writing: Map<string, string>
  /** Whether anything was received: then the request is never repeated. */
  hasStarted: boolean
  failure?: Failure
  reason?: ReplyFinish['reason']
  usage: StepUsage
}

/** `earlier`: the reply that this one mends; what was shown of it stays part of the whole. */
export function newReply(
  context: ModelContext,
  rule: ChoiceRule,
  conversation: readonly ModelMessage[],
  earlier?: Reply,
): Reply {
  const shown = earlier === undefined || earlier.held ? [] : wordsOf(earlier)
  return {
    context,
    rule,
    pieces: shown,
    open: new Map(),
    calls: [],
    refused: [],
    writtenAsText: [],
    ...(rule.needsCall && { held: [] }),
    conversation,
    begun: 0,
    writing: new Map(),
    hasStarted: false,
    usage: { ...earlier?.usage },
  }
}

/** Takes in one part of the stream; answers what can be told at once. */
export function readPart(reply: Reply, part: LanguageModelV3StreamPart): readonly ReplyEvent[] {
  switch (part.type) {
    case 'text-delta':
      return addWords(reply, 'text', part)
    case 'reasoning-delta':
      return addWords(reply, 'reasoning', part)
    case 'text-start':
    case 'text-end':
      return sign(reply, 'text', part)
    case 'reasoning-start':
      return sign(reply, 'reasoning', part)
    case 'reasoning-end':
      return [...sign(reply, 'reasoning', part), ...signature(reply, part.id)]
    case 'tool-input-start':
      return beginCall(reply, part)
    case 'tool-input-delta': {
      const id = reply.writing.get(part.id)
      return id === undefined ? [] : tell(reply, { type: part.type, id, text: part.delta })
    }
    case 'tool-call':
      return addCall(reply, part)
    case 'error':
      reply.failure ??= failureFrom(part.error, reply.context)
      return []
    case 'raw': {
      reply.writtenAsText.push(...(textCallsIn(part.rawValue) ?? []))
      const text = noticeIn(part.rawValue)
      return text === undefined ? [] : [{ type: 'notice', text }]
    }
    case 'finish':
      finish(reply, part.finishReason.unified, part.finishReason.raw)
      addUsage(reply.usage, usageOf(part))
      return []
    default:
      return []
  }
}

/** The stream is over. One that did not say why broke off. */
export function finish(reply: Reply, unified = 'other', raw?: string): void {
  if (reply.reason !== undefined) return
  const hasCalls = reply.calls.length + reply.refused.length + reply.writtenAsText.length > 0
  const hasText = reply.pieces.some((piece) => piece.type === 'text' && piece.text.trim() !== '')
  reply.failure ??= endingFailure(reply.context, { finishReason: unified, rawFinishReason: raw }, { hasText, hasCalls })
  const isCut = unified === 'length' || unified === 'content-filter'
  reply.reason = reply.calls.length > 0 && !isCut ? 'tool-calls' : isCut || unified === 'stop' ? unified : 'other'
}

/** What is told at the end; of a reply that broke off also what was held back, of one that must not be, nothing. */
export function ending(reply: Reply, failure = reply.failure): ReplyEvent[] {
  const { reason = 'other', usage } = reply
  const held = failure === reply.failure ? (reply.held ?? []) : []
  const message = messageOf(reply, failure === undefined)
  if (failure !== undefined)
    return [...held, { type: 'failed', failure, ...(message.content.length > 0 && { message }) }]
  return [...held, { type: 'finish', reason, usage, message }]
}

export function wordsOf({ pieces }: Reply): ReplyPiece[] {
  return pieces.filter((piece) => piece.type === 'text' && piece.text !== '')
}

/** In order; while a call must still be made, nothing but thoughts is told. */
function tell(reply: Reply, event: ReplyEvent): readonly ReplyEvent[] {
  reply.hasStarted = true
  const isThought = event.type === 'reasoning-delta' || event.type === 'reasoning-signed'
  if (reply.held === undefined || isThought) return [event]
  reply.held.push(event)
  return []
}

function addWords(
  reply: Reply,
  type: Words['type'],
  { id, delta, providerMetadata }: Part<'text-delta' | 'reasoning-delta'>,
): readonly ReplyEvent[] {
  const words = openWords(reply, type, id)
  words.text += delta
  remember(words, providerMetadata)
  return delta === '' ? [] : tell(reply, { type: `${type}-delta`, text: delta })
}

/** The piece these words belong to; another one when something else was written in between. */
function openWords({ open, pieces }: Reply, type: Words['type'], id: string): Words {
  const known = open.get(`${type} ${id}`)
  if (known !== undefined && pieces.at(-1) === known) return known
  const words: Words = { type, text: '' }
  open.set(`${type} ${id}`, words)
  pieces.push(words)
  return words
}

/** Signatures come with the start or the end of a piece, where there may be no words at all. */
function sign(
  reply: Reply,
  type: Words['type'],
  { id, providerMetadata }: { id: string; providerMetadata?: SharedV3ProviderMetadata },
): readonly ReplyEvent[] {
  if (providerMetadata !== undefined) {
    remember(reply.open.get(`${type} ${id}`) ?? openWords(reply, type, id), providerMetadata)
  }
  return []
}

function signature(reply: Reply, id: string): readonly ReplyEvent[] {
  const { providerOptions } = reply.open.get(`reasoning ${id}`) ?? {}
  return providerOptions === undefined ? [] : tell(reply, { type: 'reasoning-signed', providerOptions })
}

function beginCall(reply: Reply, { id: given, toolName }: Part<'tool-input-start'>): readonly ReplyEvent[] {
  reply.hasStarted = true
  const name = toolName.trim()
  if (!mayCall(reply, name)) return []
  const id = freeId(reply, given)
  reply.writing.set(given, id)
  return tell(reply, { type: 'tool-input-start', id, name })
}

function addCall(reply: Reply, part: Part<'tool-call'>): readonly ReplyEvent[] {
  reply.hasStarted = true
  const { toolCallId } = part
  const name = part.toolName.trim()
  const begun = reply.writing.get(toolCallId)
  reply.writing.delete(toolCallId)
  if (begun === undefined && !mayCall(reply, name)) {
    // One call too many breaks no rule of what may be called; it is left out.
    if (reply.rule.allowed && !reply.rule.allowed.has(name)) reply.refused.push(name)
    return []
  }
  const call = readCall(part, begun ?? freeId(reply, toolCallId))
  const input = isRecord(call.input) ? call.input : { malformed_arguments: call.input }
  const piece: ReplyPiece = { type: 'tool-call', toolCallId: call.id, toolName: call.name, input }
  remember(piece, part.providerMetadata)
  reply.calls.push(call)
  reply.pieces.push(piece)
  const { held = [] } = reply
  reply.held = undefined
  return [...held, { type: 'tool-call', call }]
}

function mayCall({ rule, begun }: Reply, name: string): boolean {
  return (rule.allowed?.has(name) ?? true) && !(rule.oneCall && begun > 0)
}

function messageOf({ pieces }: Reply, withCalls: boolean): ReplyMessage {
  const content = pieces.filter((piece) => {
    if (piece.type === 'tool-call') return withCalls
    // An empty piece can still carry a signature the provider wants back.
    return piece.text !== '' || piece.providerOptions !== undefined
  })
  return { role: 'assistant', content }
}

function remember(piece: ReplyPiece, metadata: Metadata): void {
  if (metadata !== undefined && Object.keys(metadata).length > 0) {
    piece.providerOptions = { ...piece.providerOptions, ...metadata }
  }
}

/** Some servers give every call the same id, or none; some models count anew in every reply. */
function freeId(reply: Reply, given: string | undefined): string {
  const base = given?.trim() || `call_${crypto.randomUUID()}`
  reply.ids ??= new Set(reply.conversation.flatMap(callIds))
  let id = base
  for (let count = 2; reply.ids.has(id); count++) id = `${base}-${count}`
  reply.ids.add(id)
  reply.begun++
  return id
}

function callIds({ role, content }: ModelMessage): string[] {
  if (role !== 'assistant' || typeof content === 'string') return []
  return content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
}

function usageOf({ usage: { inputTokens, outputTokens }, providerMetadata }: Part<'finish'>): StepUsage {
  const cost: unknown = (providerMetadata?.openrouter?.usage as { cost?: unknown } | undefined)?.cost
  const given: [keyof StepUsage, unknown][] = [
    ['input', inputTokens.total],
    ['output', outputTokens.total],
    ['reasoning', outputTokens.reasoning],
    ['cachedInput', inputTokens.cacheRead],
    ['cacheWrite', inputTokens.cacheWrite || undefined],
    ['cost', cost],
  ]
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'number' && Number.isFinite(value)))
}

export function addUsage(sum: StepUsage, more: StepUsage): void {
  for (const key of ['input', 'output', 'reasoning', 'cachedInput', 'cacheWrite', 'cost'] as const) {
    if (more[key] !== undefined) sum[key] = (sum[key] ?? 0) + more[key]
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
