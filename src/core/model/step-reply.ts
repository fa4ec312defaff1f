import { Failure } from '../errors.js'
import { endingFailure } from './ending-failure.js'
import { failureFrom, type ModelContext } from './model-failure.js'
import type { PrematureRule } from './profile.js'
import { readCall } from './read-call.js'
import type { AssistantModelMessage, SharedV3ProviderMetadata, TextStreamPart, ToolSet } from './sdk.js'
import type { StepCall, StepEvent, StepFinish, StepUsage } from './step-event.js'

/** Gathers one reply from the SDK's parts and says what of it can be shown at once. */
export interface StepReply {
  read(part: SdkPart): StepEvent[]
  fail(failure: Failure): void
  /** Whether anything was received: then the request is never repeated. */
  hasStarted(): boolean
  /** Whether the rest need not be read. */
  isOver(): boolean
  failure(): Failure | undefined
  ending(): StepEvent[]
}

type SdkPart = TextStreamPart<ToolSet>
type Metadata = SharedV3ProviderMetadata | undefined
type Piece = Extract<
  Exclude<AssistantModelMessage['content'], string>[number],
  { type: 'text' | 'reasoning' | 'tool-call' }
>
type Words = Extract<Piece, { type: 'text' | 'reasoning' }>

export function stepReply(context: ModelContext, premature?: PrematureRule): StepReply {
  const pieces: Piece[] = []
  const open = new Map<string, Words>()
  const calls: StepCall[] = []
  const ids = new Set<string>()
  let failure: Failure | undefined
  let hasStarted = false
  let finish: { reason: StepFinish['reason']; usage: StepUsage } | undefined
  /** Words after a call, not shown until it is clear that they are few. */
  let held = ''
  let cutCharacters = 0

  /** The piece these words belong to; another one when something else was written in between. */
  function wordsOf(type: Words['type'], id: string): Words {
    const known = open.get(`${type} ${id}`)
    if (known !== undefined && pieces.at(-1) === known) return known
    const words: Words = { type, text: '' }
    open.set(`${type} ${id}`, words)
    pieces.push(words)
    return words
  }

  function addWords(type: Words['type'], id: string, text: string, metadata: Metadata): StepEvent[] {
    const words = wordsOf(type, id)
    words.text += text
    remember(words, metadata)
    if (text === '') return []
    hasStarted = true
    if (type === 'reasoning') return [{ type: 'reasoning-delta', text }]
    if (premature === undefined || calls.length === 0) return [{ type: 'text-delta', text }]
    held += text
    if (held.trim().length > premature.charactersAfter) cutHeld()
    return []
  }

  /** Signatures come with the start or the end of a piece, where there may be no words at all. */
  function sign(type: Words['type'], id: string, metadata: Metadata): void {
    if (metadata !== undefined) remember(open.get(`${type} ${id}`) ?? wordsOf(type, id), metadata)
  }

  function cutHeld(): void {
    cutCharacters = held.length
    held = ''
    while (pieces.at(-1)?.type === 'text') pieces.pop()
    finish = { reason: 'tool-calls', usage: {} }
  }

  function releaseHeld(): StepEvent[] {
    const text = held
    held = ''
    return text === '' ? [] : [{ type: 'text-delta', text }]
  }

  function addCall(part: Extract<SdkPart, { type: 'tool-call' }>): StepEvent[] {
    hasStarted = true
    const call = readCall(part, ids)
    calls.push(call)
    const input = isRecord(call.input) ? call.input : { malformed_arguments: call.input }
    const piece: Piece = { type: 'tool-call', toolCallId: call.id, toolName: call.name, input }
    remember(piece, part.providerMetadata)
    pieces.push(piece)
    return releaseHeld()
  }

  function message(withCalls: boolean): AssistantModelMessage | undefined {
    const content = pieces.filter((piece) => {
      if (piece.type === 'tool-call') return withCalls
      // An empty piece can still carry a signature the provider wants back.
      return piece.text !== '' || piece.providerOptions !== undefined
    })
    return content.length === 0 ? undefined : { role: 'assistant', content }
  }

  return {
    read(part) {
      switch (part.type) {
        case 'text-delta':
          return addWords('text', part.id, part.text, part.providerMetadata)
        case 'reasoning-delta':
          return addWords('reasoning', part.id, part.text, part.providerMetadata)
        case 'reasoning-start':
        case 'reasoning-end':
          sign('reasoning', part.id, part.providerMetadata)
          return []
        case 'text-start':
        case 'text-end':
          sign('text', part.id, part.providerMetadata)
          return []
        case 'tool-input-start':
          hasStarted = true
          return [{ type: 'tool-input-start', id: part.id, name: part.toolName }]
        case 'tool-input-delta':
          hasStarted = true
          return [{ type: 'tool-input-delta', id: part.id, text: part.delta }]
        case 'tool-call':
          return addCall(part)
        case 'error':
          failure ??= failureFrom(part.error, context)
          return []
        case 'finish-step': {
          const text = pieces.some((piece) => piece.type === 'text' && piece.text.trim() !== '')
          failure ??= endingFailure(context, part, { hasText: text, hasCalls: calls.length > 0 })
          finish = { reason: reasonOf(part.finishReason, calls.length), usage: usageOf(part) }
          return []
        }
        default:
          return []
      }
    },
    fail: (given) => {
      failure ??= given
    },
    hasStarted: () => hasStarted,
    isOver: () => failure !== undefined || finish !== undefined,
    failure: () => failure,
    ending() {
      const shown = cutCharacters > 0 ? [] : releaseHeld()
      failure ??= finish === undefined ? endingFailure(context, {}, { hasText: false, hasCalls: false }) : undefined
      const content = message(failure === undefined)
      if (failure !== undefined || finish === undefined || content === undefined) {
        const why = failure ?? new Failure('internal', 'The reply was empty.')
        return [...shown, { type: 'failed', failure: why, ...(content && { message: content }) }]
      }
      return [
        ...shown,
        ...calls.map((call): StepEvent => ({ type: 'tool-call', call })),
        { type: 'finish', ...finish, message: content, ...(cutCharacters > 0 && { cutCharacters }) },
      ]
    },
  }
}

function remember(piece: Piece, metadata: Metadata): void {
  if (metadata !== undefined && Object.keys(metadata).length > 0) {
    piece.providerOptions = { ...piece.providerOptions, ...metadata }
  }
}

function reasonOf(reason: string | undefined, calls: number): StepFinish['reason'] {
  if (calls > 0 && reason !== 'length' && reason !== 'content-filter') return 'tool-calls'
  return reason === 'stop' || reason === 'length' || reason === 'content-filter' ? reason : 'other'
}

function usageOf({ usage, providerMetadata }: Extract<SdkPart, { type: 'finish-step' }>): StepUsage {
  const cost: unknown = (providerMetadata?.openrouter?.usage as { cost?: unknown } | undefined)?.cost
  const given: [keyof StepUsage, unknown][] = [
    ['input', usage.inputTokens],
    ['output', usage.outputTokens],
    ['reasoning', usage.reasoningTokens],
    ['cachedInput', usage.cachedInputTokens],
    ['cost', cost],
  ]
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'number' && Number.isFinite(value)))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
