// Reads the parts of a model's stream into one reply, and decides which events the caller sees when.

import type { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import { endingFailure, type ModelContext, modelFailureFrom } from './model-failure.js'
import type { ChoiceRule } from './model-request.js'
import type { ReplyCall, ReplyEvent, ReplyFinish, ReplyMessage, ReplyPiece, StepUsage } from './reply-event.js'
import type {
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  ModelMessage,
  SharedV3ProviderMetadata,
} from './sdk.js'

type Part<Type extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: Type }>
type TextPiece = Extract<ReplyPiece, { type: 'text' | 'reasoning' }>
type Metadata = SharedV3ProviderMetadata | undefined

/** The state of one reply while it is read. */
export interface ReplyState {
  context: ModelContext
  rule: ChoiceRule
  pieces: ReplyPiece[]
  /** Pieces that still grow, by the ids of the stream. */
  openPieces: Map<string, TextPiece>
  calls: ReplyCall[]
  /** Names of calls that the choice of tools does not allow. */
  refused: string[]
  /** Names of calls written as text, which do not count. */
  writtenAsText: string[]
  /** Events held back until the required call has been made. */
  held?: ReplyEvent[] | undefined
  /** Ids in use, in the conversation and in this reply. */
  ids?: Set<string>
  callCount: number
  conversation: readonly ModelMessage[]
  openCalls: Map<string, string>
  /** True after the first data was received. The request is not retried then. */
  hasStarted: boolean
  failure?: Failure | undefined
  reason?: ReplyFinish['reason']
  usage: StepUsage
}

/** `earlier` is the reply that this one repairs; its visible text stays part of the message. */
export function newReply(
  context: ModelContext,
  rule: ChoiceRule,
  conversation: readonly ModelMessage[],
  earlier?: ReplyState,
): ReplyState {
  const shown = earlier === undefined || earlier.held ? [] : textPieces(earlier)
  return {
    context,
    rule,
    pieces: shown,
    openPieces: new Map(),
    calls: [],
    refused: [],
    writtenAsText: [],
    ...(rule.needsCall && { held: [] }),
    conversation,
    callCount: 0,
    openCalls: new Map(),
    hasStarted: false,
    usage: { ...earlier?.usage },
  }
}

/** Reads one part of the stream and returns the events to yield now. */
export function readPart(reply: ReplyState, part: LanguageModelV3StreamPart): readonly ReplyEvent[] {
  switch (part.type) {
    case 'text-delta':
      return addText(reply, 'text', part)
    case 'reasoning-delta':
      return addText(reply, 'reasoning', part)
    case 'text-start':
    case 'text-end':
      return addSignature(reply, 'text', part)
    case 'reasoning-start':
      return addSignature(reply, 'reasoning', part)
    case 'reasoning-end':
      return [...addSignature(reply, 'reasoning', part), ...signatureEvents(reply, part.id)]
    case 'tool-input-start':
      return beginCall(reply, part)
    case 'tool-input-delta': {
      const id = reply.openCalls.get(part.id)
      return id === undefined ? [] : emit(reply, { type: part.type, id, text: part.delta })
    }
    case 'tool-call':
      return addCall(reply, part)
    case 'error':
      reply.failure ??= modelFailureFrom(part.error, reply.context)
      return []
    case 'raw': {
      reply.writtenAsText.push(...(textCallsIn(part.rawValue) ?? []))
      const text = noticeIn(part.rawValue)
      return text === undefined ? [] : [{ type: 'notice', text }]
    }
    case 'finish':
      finishReply(reply, part.finishReason.unified, part.finishReason.raw)
      addUsage(reply.usage, usageOf(part))
      return []
    default:
      return []
  }
}

/** Ends the reply. A stream without a finish reason was cut off. */
export function finishReply(reply: ReplyState, unified = 'other', raw?: string): void {
  if (reply.reason !== undefined) return
  const hasCalls = reply.calls.length + reply.refused.length + reply.writtenAsText.length > 0
  const hasText = reply.pieces.some((piece) => piece.type === 'text' && piece.text.trim() !== '')
  reply.failure ??= endingFailure(reply.context, { finishReason: unified, rawFinishReason: raw }, { hasText, hasCalls })
  const isCut = unified === 'length' || unified === 'content-filter'
  reply.reason = reply.calls.length > 0 && !isCut ? 'tool-calls' : isCut || unified === 'stop' ? unified : 'other'
}

/** The last events. A reply that broke off also yields what was held back; a reply that must not be shown does not. */
export function endingEvents(reply: ReplyState, failure = reply.failure): ReplyEvent[] {
  const { reason = 'other', usage } = reply
  const held = failure === reply.failure ? (reply.held ?? []) : []
  const message = messageOf(reply, failure === undefined)
  if (failure !== undefined)
    return [...held, { type: 'failed', failure, ...(message.content.length > 0 && { message }) }]
  return [...held, { type: 'finish', reason, usage, message }]
}

export function textPieces({ pieces }: ReplyState): ReplyPiece[] {
  return pieces.filter((piece) => piece.type === 'text' && piece.text !== '')
}

/** While a required call is missing, only reasoning is yielded; other events are held back. */
function emit(reply: ReplyState, event: ReplyEvent): readonly ReplyEvent[] {
  reply.hasStarted = true
  const isReasoning = event.type === 'reasoning-delta' || event.type === 'reasoning-signed'
  if (reply.held === undefined || isReasoning) return [event]
  reply.held.push(event)
  return []
}

function addText(
  reply: ReplyState,
  type: TextPiece['type'],
  { id, delta, providerMetadata }: Part<'text-delta' | 'reasoning-delta'>,
): readonly ReplyEvent[] {
  const piece = openPiece(reply, type, id)
  piece.text += delta
  addProviderOptions(piece, providerMetadata)
  return delta === '' ? [] : emit(reply, { type: `${type}-delta`, text: delta })
}

/** The piece this text belongs to; a new one if something else was written in between. */
function openPiece({ openPieces, pieces }: ReplyState, type: TextPiece['type'], id: string): TextPiece {
  const known = openPieces.get(`${type} ${id}`)
  if (known !== undefined && pieces.at(-1) === known) return known
  const piece: TextPiece = { type, text: '' }
  openPieces.set(`${type} ${id}`, piece)
  pieces.push(piece)
  return piece
}

/** Signatures come with the start or the end of a piece, even if the piece has no text. */
function addSignature(
  reply: ReplyState,
  type: TextPiece['type'],
  { id, providerMetadata }: { id: string; providerMetadata?: SharedV3ProviderMetadata },
): readonly ReplyEvent[] {
  if (providerMetadata !== undefined) {
    addProviderOptions(reply.openPieces.get(`${type} ${id}`) ?? openPiece(reply, type, id), providerMetadata)
  }
  return []
}

function signatureEvents(reply: ReplyState, id: string): readonly ReplyEvent[] {
  const { providerOptions } = reply.openPieces.get(`reasoning ${id}`) ?? {}
  return providerOptions === undefined ? [] : emit(reply, { type: 'reasoning-signed', providerOptions })
}

function beginCall(reply: ReplyState, { id: given, toolName }: Part<'tool-input-start'>): readonly ReplyEvent[] {
  reply.hasStarted = true
  const name = toolName.trim()
  if (!mayCall(reply, name)) return []
  const id = uniqueCallId(reply, given)
  reply.openCalls.set(given, id)
  return emit(reply, { type: 'tool-input-start', id, name })
}

function addCall(reply: ReplyState, part: Part<'tool-call'>): readonly ReplyEvent[] {
  reply.hasStarted = true
  const { toolCallId } = part
  const name = part.toolName.trim()
  const begunId = reply.openCalls.get(toolCallId)
  reply.openCalls.delete(toolCallId)
  if (begunId === undefined && !mayCall(reply, name)) {
    // A call over the limit breaks no rule about which tools may be called; it is dropped.
    if (reply.rule.allowed && !reply.rule.allowed.has(name)) reply.refused.push(name)
    return []
  }
  const call = readCall(part, begunId ?? uniqueCallId(reply, toolCallId))
  const input = isRecord(call.input) ? call.input : { malformed_arguments: call.input }
  const piece: ReplyPiece = { type: 'tool-call', toolCallId: call.id, toolName: call.name, input }
  addProviderOptions(piece, part.providerMetadata)
  reply.calls.push(call)
  reply.pieces.push(piece)
  const { held = [] } = reply
  reply.held = undefined
  return [...held, { type: 'tool-call', call }]
}

function mayCall({ rule, callCount }: ReplyState, name: string): boolean {
  return (rule.allowed?.has(name) ?? true) && !(rule.oneCall && callCount > 0)
}

function messageOf({ pieces }: ReplyState, withCalls: boolean): ReplyMessage {
  const content = pieces.filter((piece) => {
    if (piece.type === 'tool-call') return withCalls
    // An empty piece can still carry a signature the provider wants back.
    return piece.text !== '' || piece.providerOptions !== undefined
  })
  return { role: 'assistant', content }
}

function addProviderOptions(piece: ReplyPiece, metadata: Metadata): void {
  if (metadata !== undefined && Object.keys(metadata).length > 0) {
    piece.providerOptions = { ...piece.providerOptions, ...metadata }
  }
}

/** Some servers give every call the same id, or none; some models start counting again in every reply. */
function uniqueCallId(reply: ReplyState, given: string | undefined): string {
  const base = given?.trim() || `call_${crypto.randomUUID()}`
  reply.ids ??= new Set(reply.conversation.flatMap(callIds))
  let id = base
  for (let count = 2; reply.ids.has(id); count++) id = `${base}-${count}`
  reply.ids.add(id)
  reply.callCount++
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

/**
 * Parses one call. Arguments that are not JSON stay text, with a sentence the model can act on. Middleware that could
 * not read a call gives the reason in `providerMetadata.notewright`.
 */
function readCall({ toolName, input: text = '', providerMetadata }: LanguageModelV3ToolCall, id: string): ReplyCall {
  const call = { id, name: toolName.trim(), argumentsText: text }
  const { error, written } = providerMetadata?.notewright ?? {}
  if (typeof error === 'string') return { ...call, input: text, error, ...(typeof written === 'string' && { written }) }
  try {
    return { ...call, input: text.trim() === '' ? {} : (JSON.parse(text) ?? {}) }
  } catch (thrown) {
    // The engine's message quotes the text; the position is enough.
    const position = /position (\d+)/.exec((thrown as Error).message)?.[1]
    const problem =
      position === undefined || Number(position) >= text.length ? 'it ends early' : `at character ${position}`
    const sentence = `The arguments of ${call.name} are not valid JSON (${problem}). Call it again with valid JSON.`
    return { ...call, input: text, error: sentence }
  }
}

/** Symbols, because no server can send them. */
const notice = Symbol('notice')
const textCalls = Symbol('text calls')

/**
 * A notice for the user from a model wrapper, before the reply. It travels as a `raw` part, which no other reader
 * takes for a part of the reply.
 */
export function noticePart(text: string): LanguageModelV3StreamPart {
  return { type: 'raw', rawValue: { [notice]: text } }
}

/** Reports calls that a model with a tool protocol wrote as text, by name. They are neither shown nor run. */
export function textCallsPart(names: readonly string[]): LanguageModelV3StreamPart {
  return { type: 'raw', rawValue: { [textCalls]: names } }
}

/** The same part for a reply in one piece, whose content becomes parts of a stream. */
export function textCallsContent(names: readonly string[]): LanguageModelV3Content {
  return textCallsPart(names) as unknown as LanguageModelV3Content
}

function noticeIn(rawValue: unknown): string | undefined {
  return ownFields(rawValue)[notice]
}

function textCallsIn(rawValue: unknown): readonly string[] | undefined {
  return ownFields(rawValue)[textCalls]
}

function ownFields(rawValue: unknown): { [notice]?: string; [textCalls]?: readonly string[] } {
  return typeof rawValue === 'object' && rawValue !== null ? rawValue : {}
}
